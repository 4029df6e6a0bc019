/** What plans allow besides numbers of chats and seats. */
import type { Plan } from "../db/schema/tables.ts"

const withProPerks: ReadonlySet<Plan> = new Set([
  "PRO",
  "ENTERPRISE",
  "LIFETIME",
  "CUSTOM",
  "UNLIMITED",
])

/** Whether the paid features are included: no badge, uploads, folders, the service's own mails. */
export function isPaid(plan: Plan): boolean {
  return plan !== "FREE"
}

/** Whether the messaging channels and custom domains are included. */
export function hasProPerks(plan: Plan): boolean {
  return withProPerks.has(plan)
}
