/** What a workspace has used this month, and what it may. */
import { Progress, SimpleGrid, Stack, Text } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import type { PartProps } from "./workspaceSearch.ts"

const texts = defineTexts({
  en: {
    title: "Usage",
    until: (day: string) => `It is counted from anew on ${day}.`,
    chats: "Chats",
    input: "Tokens sent to models",
    output: "Tokens from models",
    of: (limit: string) => `of ${limit}`,
    free: "without a limit",
    plan: "Plan",
    suspended: "The operator has suspended the workspace.",
    pastDue: "A payment is overdue.",
  },
  de: {
    title: "Verbrauch",
    until: (day: string) => `Neu gezählt wird ab ${day}.`,
    chats: "Gespräche",
    input: "Tokens an Modelle",
    output: "Tokens von Modellen",
    of: (limit: string) => `von ${limit}`,
    free: "ohne Grenze",
    plan: "Tarif",
    suspended: "Der Betreiber hat den Arbeitsbereich gesperrt.",
    pastDue: "Eine Zahlung ist überfällig.",
  },
})

export function UsagePart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const write = useWriting()
  const { data: usage } = useSuspenseQuery(api.billing.getUsage.queryOptions({ workspaceId }))
  const { data } = useSuspenseQuery(api.workspace.get.queryOptions({ workspaceId }))
  const { plan, chatsHardLimit, customChatsLimit, isSuspended, isPastDue } = data.workspace
  const limit = chatsHardLimit ?? customChatsLimit
  const figures = [
    { label: t.chats, value: usage.totalChatsUsed, limit },
    { label: t.input, value: usage.inputTokens, limit: null },
    { label: t.output, value: usage.outputTokens, limit: null },
  ]
  return (
    <Card
      title={t.title}
      about={`${t.plan}: ${plan}. ${usage.resetsAt ? t.until(write.day(usage.resetsAt)) : ""}`}
    >
      {(isSuspended || isPastDue) && (
        <Text size="sm" c="red">
          {isSuspended ? t.suspended : t.pastDue}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {figures.map(({ label, value, limit: most }) => (
          <Stack key={label} gap={4}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text size="xl" fw={600}>
              {write.number(value)}
            </Text>
            {most === null ? (
              <Text size="xs" c="dimmed">
                {t.free}
              </Text>
            ) : (
              <>
                <Progress value={(100 * value) / Math.max(most, 1)} aria-label={label} />
                <Text size="xs" c="dimmed">
                  {t.of(write.number(most))}
                </Text>
              </>
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  )
}
