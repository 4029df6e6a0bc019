/** Shows what went wrong, in the words of the service. */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { isParleyError } from "@parley/client"
import { Icon } from "./Icon.tsx"
import { NotLoaded } from "./lazily.ts"
import { defineTexts, useTexts } from "./texts.ts"

const texts = defineTexts({
  en: {
    again: "Try again",
    request: (id: string) => `Request ${id}`,
    notLoaded:
      "This part of the page could not be loaded: the connection broke, or the service is newer than the page.",
    reload: "Load the page again",
  },
  de: {
    again: "Erneut versuchen",
    request: (id: string) => `Anfrage ${id}`,
    notLoaded:
      "Dieser Teil der Seite konnte nicht geladen werden: Die Verbindung brach ab, oder der Dienst ist neuer als die Seite.",
    reload: "Seite neu laden",
  },
})

/** The sentence of an error. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The sentence of the service about one member of what was sent, such as `credential.name`. */
export function issueAt(error: unknown, path: string): string | undefined {
  if (!isParleyError(error)) return undefined
  return error.data?.issues?.find((issue) => issue.path.join(".") === path)?.message
}

/** An error in the place of what could not be shown. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts(texts)
  const isNotLoaded = error instanceof NotLoaded
  const requestId = isParleyError(error) ? error.data?.requestId : undefined
  return (
    <Alert color="red" icon={<Icon name="triangle-alert" />} role="alert" maw="42rem">
      <Stack gap="xs">
        <Text size="sm">{isNotLoaded ? t.notLoaded : sentenceOf(error)}</Text>
        <Group gap="sm">
          {isNotLoaded && (
            <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
              {t.reload}
            </Button>
          )}
          {retry && (
            <Button size="compact-sm" variant="default" onClick={retry}>
              {t.again}
            </Button>
          )}
          {requestId && (
            <Text size="xs" c="dimmed">
              {t.request(requestId)}
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
