/** How many chats and members the plans allow. */
import type { Plan } from "../db/schema/tables.ts"

/** What one plan allows; absent: any number. */
export type PlanLimit = {
  /** Per calendar month (UTC). */
  chats?: number
  /** Members that are no guests. */
  seats?: number
}

/** What each plan allows. */
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

/** What decides over the limits of a workspace; a number of its own, when not 0, replaces the plan's. */
type Custom = {
  plan: Plan
  customChatsLimit: number | null
  customSeatsLimit: number | null
}

/** Chats that a workspace may start in a month; undefined: any number. */
export function chatsLimitOf(
  { plan, customChatsLimit }: Pick<Custom, "plan" | "customChatsLimit">,
  limits: PlanLimits = usualPlanLimits,
): number | undefined {
  return customChatsLimit || limits[plan].chats
}

/** Members, guests aside, that a workspace may have; undefined: any number. */
export function seatsLimitOf(
  { plan, customSeatsLimit }: Pick<Custom, "plan" | "customSeatsLimit">,
  limits: PlanLimits = usualPlanLimits,
): number | undefined {
  return customSeatsLimit || limits[plan].seats
}
