/** The browsers in which the user is signed in. */
import { Badge, Button, Group, Text } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"

const texts = defineTexts({
  en: {
    title: "Browsers",
    about: "Where you are signed in. End what you do not know.",
    unknown: "A browser that gives no name",
    current: "This one",
    since: (day: string) => `Signed in ${day}`,
    end: "Sign out there",
  },
  de: {
    title: "Browser",
    about: "Wo du angemeldet bist. Beende, was du nicht kennst.",
    unknown: "Ein Browser ohne Namen",
    current: "Dieser hier",
    since: (day: string) => `Angemeldet ${day}`,
    end: "Dort abmelden",
  },
})

export function SessionsCard() {
  const t = useTexts(texts)
  const write = useWriting()
  const queries = useQueryClient()
  const list = useQuery(api.user.listSessions.queryOptions())
  const end = useMutation({
    ...api.user.revokeSession.mutationOptions(),
    onSuccess: () => queries.invalidateQueries(api.user.listSessions.queryFilter()),
    onError: reportProblem,
  })
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {list.data?.sessions.map(({ id, userAgent, isCurrent, createdAt }) => (
        <Group key={id} wrap="nowrap" justify="space-between">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate title={userAgent}>
              {userAgent ?? t.unknown}
            </Text>
            <Text size="xs" c="dimmed">
              {t.since(write.moment(createdAt))}
            </Text>
          </div>
          {isCurrent ? (
            <Badge style={{ flexShrink: 0 }}>{t.current}</Badge>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              style={{ flexShrink: 0 }}
              onClick={() => end.mutate({ userSessionId: id })}
            >
              {t.end}
            </Button>
          )}
        </Group>
      ))}
    </Card>
  )
}
