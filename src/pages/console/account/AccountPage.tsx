/** The account of the user: who they are, where they are signed in, and their tokens. */
import { Container, Stack, Title } from "@mantine/core"
import { createLazyRoute } from "@tanstack/react-router"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { ProfileCard } from "./ProfileCard.tsx"
import { SessionsCard } from "./SessionsCard.tsx"
import { TokensCard } from "./TokensCard.tsx"

export const Route = createLazyRoute("/home/account")({ component: AccountPage })

const texts = defineTexts({ en: { title: "Account" }, de: { title: "Konto" } })

function AccountPage() {
  const t = useTexts(texts)
  useTitle(t.title)
  return (
    <Container>
      <Stack>
        <Title order={1} size="h3">
          {t.title}
        </Title>
        <ProfileCard />
        <TokensCard />
        <SessionsCard />
      </Stack>
    </Container>
  )
}
