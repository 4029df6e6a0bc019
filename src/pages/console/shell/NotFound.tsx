/** Shown at addresses that lead nowhere. */
import { Anchor, Center, Stack, Text, Title } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { defineTexts, useTexts } from "./texts.ts"
import { useTitle } from "./useTitle.ts"

const texts = defineTexts({
  en: { title: "There is no such page", back: "Go to your bots" },
  de: { title: "Diese Seite gibt es nicht", back: "Zu deinen Bots" },
})

export function NotFound() {
  const t = useTexts(texts)
  useTitle(t.title)
  return (
    <Center mih="60vh" p="xl">
      <Stack align="center" gap="xs">
        <Title order={1} size="h3">
          {t.title}
        </Title>
        <Text>
          <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{t.back}</Anchor>
        </Text>
      </Stack>
    </Center>
  )
}
