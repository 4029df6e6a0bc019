/** Plans of workspaces: which there are, and what each allows. */

export const plans = [
  "FREE",
  "STARTER",
  "PRO",
  "LIFETIME",
  "OFFERED",
  "CUSTOM",
  "UNLIMITED",
  "ENTERPRISE",
] as const

/** What a workspace pays for. */
export type Plan = (typeof plans)[number]

/** The plan of new workspaces: people who host the service for themselves have no limits. */
export const usualPlan = "UNLIMITED" satisfies Plan

/** What one plan allows; absent: any number. */
export type PlanLimit = {
  /** Per calendar month (UTC). */
  chats?: number
  /** Members other than guests. */
  seats?: number
  /** Tokens of language models per calendar month (UTC); absent: as many as the service allows. */
  modelTokens?: number
}

export type PlanLimits = Readonly<Record<Plan, PlanLimit>>

/** What plans allow unless the operator says otherwise. */
export const usualPlanLimits: PlanLimits = {
  FREE: { chats: 200, seats: 1 },
  STARTER: { chats: 2_000, seats: 2 },
  PRO: { chats: 10_000, seats: 5 },
  ENTERPRISE: { chats: 100_000, seats: 10 },
  LIFETIME: { seats: 8 },
  OFFERED: { seats: 1 },
  CUSTOM: {},
  UNLIMITED: {},
}

/** A calendar month in UTC, by which chats are counted. */
export type Month = {
  startMs: number
  /** The start of the next one. */
  endMs: number
  /** `YYYY-MM-01`. */
  start: string
}

/** Returns the month of a moment in milliseconds since 1970. */
export function monthOf(timeMs: number): Month {
  const time = new Date(timeMs)
  const startMs = Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1)
  const endMs = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)
  return { startMs, endMs, start: new Date(startMs).toISOString().slice(0, 10) }
}

/** The plan of a workspace, and numbers of its own, which replace the plan's when not 0. */
type WorkspacePlan = {
  plan: Plan
  customChatsLimit: number | null
  customSeatsLimit: number | null
}

/** Chats that a workspace may start in a month; undefined: any number. */
export function chatsLimitOf(
  { plan, customChatsLimit }: Pick<WorkspacePlan, "plan" | "customChatsLimit">,
  limits: PlanLimits = usualPlanLimits,
): number | undefined {
  return customChatsLimit || limits[plan].chats
}

/** Members, not counting guests, that a workspace may have; undefined: any number. */
export function seatsLimitOf(
  { plan, customSeatsLimit }: Pick<WorkspacePlan, "plan" | "customSeatsLimit">,
  limits: PlanLimits = usualPlanLimits,
): number | undefined {
  return customSeatsLimit || limits[plan].seats
}

/** Tokens of language models that a workspace may use in a month; `usual` 0: any number. */
export function modelTokensLimitOf(plan: Plan, limits: PlanLimits, usual: number): number {
  return limits[plan].modelTokens ?? (usual || Infinity)
}

const freeTolerance = 1.5

/**
 * The number of chats by which a workspace is warned; undefined: none. The hard limit counts when
 * it comes first, because it refuses chats.
 */
export function noticeLimitOf(
  { chatsHardLimit }: { chatsHardLimit: number | null },
  limit: number | undefined,
): number | undefined {
  if (chatsHardLimit === null) return limit
  return Math.min(chatsHardLimit, limit ?? chatsHardLimit)
}

/**
 * Whether a workspace must start no more chats: it has reached its hard limit, or, on the free plan,
 * used half as much again as its limit.
 */
export function isOverHardLimit(
  { plan, chats, chatsHardLimit }: { plan: Plan; chats: number; chatsHardLimit: number | null },
  limit: number | undefined,
): boolean {
  if (chatsHardLimit !== null && chats >= chatsHardLimit) return true
  return plan === "FREE" && limit !== undefined && chats > freeTolerance * limit
}

/** The facts that decide whether a count of chats closes a workspace. */
type CountFacts = Parameters<typeof isOverHardLimit>[0] &
  Pick<WorkspacePlan, "customChatsLimit"> & { isPastDue: boolean }

/** Whether a count keeps a workspace closed; while a payment is overdue, larger limits do not open it. */
export function isClosedByQuota(facts: CountFacts, limits: PlanLimits): boolean {
  return facts.isPastDue || isOverHardLimit(facts, chatsLimitOf(facts, limits))
}

/** A workspace may be closed to new chats, by a count or by an operator. */
type Quarantined = CountFacts & { isQuarantined: boolean; isCounted: boolean }

/** Whether a workspace takes no new chats by the present limits. */
export function isClosedNow(facts: Quarantined, limits: PlanLimits): boolean {
  return facts.isQuarantined && (!facts.isCounted || isClosedByQuota(facts, limits))
}

/** Whether a count has to close a workspace, true, or to open it again, false; undefined: neither. */
export function quarantineFor(facts: Quarantined, limits: PlanLimits): boolean | undefined {
  const isOver = isOverHardLimit(facts, chatsLimitOf(facts, limits))
  if (isOver) return facts.isQuarantined ? undefined : true
  return facts.isQuarantined && facts.isCounted && !facts.isPastDue ? false : undefined
}

/** Whether the paid features are included: no badge, uploads, folders, the service's own mails. */
export function isPaid(plan: Plan): boolean {
  return plan !== "FREE"
}

const plansWithProPerks: ReadonlySet<Plan> = new Set([
  "PRO",
  "ENTERPRISE",
  "LIFETIME",
  "CUSTOM",
  "UNLIMITED",
])

/** Whether the messaging channels and custom domains are included. */
export function hasProPerks(plan: Plan): boolean {
  return plansWithProPerks.has(plan)
}
