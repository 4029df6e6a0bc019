/** What a workspace has used, and the states that keep it from something. */
import { Badge, Group } from "@mantine/core"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import type { OperatedWorkspace } from "./operated.ts"
import { operatorTexts } from "./operatorTexts.ts"

const of = (word: string) => (limit: string | undefined) =>
  limit === undefined ? "" : ` ${word} ${limit}`

const texts = defineTexts({
  en: {
    of: of("of"),
    chats: (count: string) => `Chats this month: ${count}`,
    members: (count: string) => `Members: ${count}`,
    bots: (count: string) => `Bots: ${count}`,
    verified: "Verified",
  },
  de: {
    of: of("von"),
    chats: (count: string) => `Chats im Monat: ${count}`,
    members: (count: string) => `Mitglieder: ${count}`,
    bots: (count: string) => `Bots: ${count}`,
    verified: "Geprüft",
  },
})

/** Chats, members and bots of a workspace, with their limits. */
export function useUsage(): (workspace: OperatedWorkspace) => string[] {
  const t = useTexts(texts)
  const write = useWriting()
  const count = (value: number, limit?: number) =>
    write.number(value) + t.of(limit === undefined ? undefined : write.number(limit))
  return ({ chats, chatsLimit, seats, seatsLimit, bots }) => [
    t.chats(count(chats, chatsLimit)),
    t.members(count(seats, seatsLimit)),
    t.bots(count(bots)),
  ]
}

export function StateBadges({ workspace }: { workspace: OperatedWorkspace }) {
  const t = useTexts(texts)
  const { states } = useTexts(operatorTexts)
  const { isSuspended, isPastDue, isClosed, isVerified, botsAtRisk } = workspace
  return (
    <Group gap={4}>
      {isSuspended && <Badge color="red">{states.suspended}</Badge>}
      {isPastDue && <Badge color="orange">{states.pastDue}</Badge>}
      {isClosed && <Badge color="red">{states.closed}</Badge>}
      {botsAtRisk.length > 0 && <Badge color="yellow">{states.atRisk}</Badge>}
      {isVerified && <Badge color="green">{t.verified}</Badge>}
    </Group>
  )
}
