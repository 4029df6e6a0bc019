/** The counts of results of bots. */
import type { Counts } from "../schema/countTables.ts"

/** The counts of one version. */
export type VersionCounts = { botId: string; versionId: string; counts: Counts }

/** The members whose names are counted each by itself. */
export const parts = [
  "startsAt",
  "completionsAt",
  "seconds",
  "answers",
  "marks",
  "open",
  "modelCalls",
  "inputTokens",
  "outputTokens",
  "inputTokensAt",
  "outputTokensAt",
] as const satisfies readonly (keyof Counts)[]

/** A number to add: of answers to choices with the block that they answer. */
export type Counted = {
  botId: string
  versionId: string
  part: keyof Counts
  block?: string | null
  name: string
  count: number
}
