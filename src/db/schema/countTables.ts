/** The tables of counts made ahead, of the audit log and of subscriptions, as Kysely sees them. */
import type { ColumnType, Generated } from "kysely"
import type { Plan } from "../../lib/plans.ts"
import type {
  DefaultTimestamp,
  GivenTimestamp,
  Json,
  NullableTimestamp,
  OptionalJson,
} from "./columnTypes.ts"

/** The counts of the results of one version. */
export type Counts = {
  /** Results by the quarter of an hour in which they began, since 1970. */
  startsAt: Record<string, number>
  /** Those that are completed. */
  completionsAt: Record<string, number>
  /** Completed results by the seconds from their start to their last answer. */
  seconds: Record<string, number>
  /** Answers by block. */
  answers: Record<string, number>
  /** Edges off the default path, and marks. */
  marks: Record<string, number>
  /** Chats that wait for an answer, by the version that runs, a space, and the block. */
  open: Record<string, number>
  /** Answers to choices by block, then by what was answered. */
  choices: Record<string, Record<string, number>>
  /** Calls of language models by block, and their tokens; days that 0.2.0 counted have none. */
  modelCalls: Record<string, number>
  inputTokens: Record<string, number>
  outputTokens: Record<string, number>
  /** Tokens by the quarter of an hour in which the results began. */
  inputTokensAt: Record<string, number>
  outputTokensAt: Record<string, number>
}

export type CountTables = {
  /** `analytics_days`: days whose results were counted; `countedAt` is null while they are. */
  analyticsDays: {
    day: ColumnType<string, Date | string, Date | string>
    countId: string
    countedAt: NullableTimestamp
  }

  /** `analytics_counts`: what the results of a day hold, by bot and version. */
  analyticsCounts: {
    botId: string
    /** The first quarter of an hour of the day, since 1970. */
    quarter: number
    versionId: string
    counts: Json<Counts>
  }

  /** `analytics_voids`: days of bots whose counts do not hold, and the latest count of each. */
  analyticsVoids: {
    botId: string
    day: ColumnType<string, Date | string, Date | string>
    countId: string
  }

  /** `audit_log`: who did what to which thing of a workspace. */
  auditLog: {
    id: string
    workspaceId: string
    userId: string | null
    tokenId: string | null
    operation: string
    target: Json<Record<string, string>>
    counts: OptionalJson<Record<string, number> | null>
    createdAt: DefaultTimestamp
    isByOperator: Generated<boolean>
  }

  /** `stripe_events`: those that were applied. */
  stripeEvents: {
    id: string
    appliedAt: DefaultTimestamp
  }

  /** `stripe_subscriptions`: as their last events showed them; no `plan` = none that is known here. */
  stripeSubscriptions: {
    id: string
    workspaceId: string
    status: string
    plan: Plan | null
    beganAt: GivenTimestamp
    eventAt: GivenTimestamp
  }
}
