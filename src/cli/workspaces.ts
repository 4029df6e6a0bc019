/** parley workspace: lists and shows workspaces with what they have used, and sets their plans, limits and states. */
import type { Db } from "../db/connection/openDatabase.ts"
import { listAllWorkspaces, type WorkspaceLine } from "../db/people/wholeService.ts"
import { chatsLimitOf, isClosedNow, monthOf, type Plan, plans, seatsLimitOf } from "../lib/plans.ts"
import { openAudit } from "../people/audit.ts"
import { decideWorkspace, type WorkspaceDecision } from "../people/decideWorkspace.ts"
import { command, option, tell, word } from "./command.ts"
import { printTable } from "./printTable.ts"
import { withDatabase } from "./withDatabase.ts"

const titles = ["ID", "PLAN", "CHATS", "LIMIT", "STATE", "NAME", "ADMINS"]

export const listWorkspacesCommand = command({
  name: "workspace list",
  description: "List workspaces, their plans, use of this month and ADMINs",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database, config: { planLimits } }) => {
      const rows = (await listThisMonth(database)).reverse().map((line) => {
        const { id, plan, chats, chatsHardLimit, isSuspended, name, admins } = line
        const limit = chatsLimitOf(line, planLimits) ?? chatsHardLimit ?? "-"
        const isClosed = isClosedNow(line, planLimits)
        const state = isSuspended ? "suspended" : isClosed ? "closed" : "open"
        return [id, plan, String(chats), String(limit), state, name, admins.join(", ")]
      })
      printTable([titles, ...rows])
    })
  },
})

const workspaceArg = word("Id or name of the workspace")

export const showWorkspaceCommand = command({
  name: "workspace show",
  description: "Show a workspace: its plan, limits, states and use of this month",
  args: { workspace: workspaceArg },
  run: async ({ workspace }, environment) => {
    await withDatabase(environment, async ({ database, config: { planLimits } }) => {
      const line = await findNamed(database, workspace)
      const shown = {
        ID: line.id,
        NAME: line.name,
        ADMINS: line.admins.join(", "),
        PLAN: line.plan,
        SUSPENDED: line.isSuspended,
        "PAST DUE": line.isPastDue,
        VERIFIED: line.isVerified ?? "not reviewed",
        CLOSED: isClosedNow(line, planLimits),
        CHATS: `${line.chats} of ${chatsLimitOf(line, planLimits) ?? "any number"}`,
        "HARD LIMIT": line.chatsHardLimit ?? "none",
        SEATS: `${line.seats} of ${seatsLimitOf(line, planLimits) ?? "any number"}`,
        BOTS: line.bots,
        "BOTS AT RISK": line.botsAtRisk.map(({ id }) => id).join(", ") || "none",
        "STRIPE ID": line.stripeId ?? "none",
      }
      printTable(Object.entries(shown).map(([name, value]) => [name, String(value)]))
    })
  },
})

const limitWords = "a number, or none"

/** Sets what is given; a workspace that the quota had closed opens if the new limits allow. */
export const setWorkspaceCommand = command({
  name: "workspace set",
  description: "Set the plan, limits and states of a workspace, at once",
  args: {
    workspace: workspaceArg,
    plan: option(`One of ${plans.join(", ")}`),
    suspended: option("on refuses chats, and closes it to all but its ADMINs; or off"),
    "past-due": option("on closes its bots to its members; or off"),
    verified: option("on lets it publish bots at risk; off, or none: not reviewed"),
    "hard-limit": option(`Chats per month after which new ones are refused: ${limitWords}`),
    "chats-limit": option(`Chats per month instead of the plan's: ${limitWords}`),
    "seats-limit": option(`Members instead of the plan's: ${limitWords}`),
    "stripe-id": option("Id of the customer at the payment processor, or none"),
  },
  run: async ({ workspace, plan, suspended, verified, ...given }, environment) => {
    const stripeId = given["stripe-id"]
    const decision = {
      plan: plan === undefined ? undefined : planOf(plan),
      isSuspended: flagIn("suspended", suspended),
      isPastDue: flagIn("past-due", given["past-due"]),
      isVerified: verified === "none" ? null : flagIn("verified", verified),
      chatsHardLimit: limitIn("hard-limit", given["hard-limit"]),
      customChatsLimit: limitIn("chats-limit", given["chats-limit"]),
      customSeatsLimit: limitIn("seats-limit", given["seats-limit"]),
      stripeId: stripeId === "none" ? null : stripeId,
    }
    if (Object.values(decision).every((value) => value === undefined)) {
      throw new Error("There is nothing to set: see `parley workspace set --help`.")
    }
    await decide(environment, workspace, decision)
  },
})

/** Sets the plan of a workspace; one that the quota had closed opens if the new limits allow. */
export const setPlanCommand = command({
  name: "workspace set-plan",
  description: `Set the plan of a workspace: ${plans.join(", ")}`,
  args: { workspace: workspaceArg, plan: word("The plan") },
  run: ({ workspace, plan }, environment) => decide(environment, workspace, { plan: planOf(plan) }),
})

/** Applies a decision, and has it in the audit log of the workspace as by an operator. */
async function decide(
  environment: Parameters<typeof withDatabase>[0],
  named: string,
  decision: WorkspaceDecision,
): Promise<void> {
  await withDatabase(environment, async ({ database, config: { planLimits } }) => {
    const { id: workspaceId, name } = await findNamed(database, named)
    const input = { workspaceId }
    const changeLog = openAudit({ isByOperator: true, operationId: "decideWorkspace", input })
    await decideWorkspace({ ...database, changeLog }, { workspaceId, decision, planLimits })
    const { plan } = decision
    tell(
      plan === undefined
        ? `The workspace "${name}" is changed.`
        : `The workspace "${name}" has the plan ${plan}.`,
    )
  })
}

function planOf(wanted: string): Plan {
  const plan = plans.find((each) => each === wanted.toUpperCase())
  if (plan) return plan
  throw new Error(`"${wanted}" is not a plan: give one of ${plans.join(", ")}.`)
}

function flagIn(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === "on" || text === "off") return text === "on"
  throw new Error(`--${name} must be on or off, not "${text}".`)
}

function limitIn(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === "none") return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name} must be ${limitWords}, not "${text}".`)
}

/** The workspace with an id or a name. Throws a sentence if there is not exactly one. */
async function findNamed(db: Db, named: string): Promise<WorkspaceLine> {
  const fitting = (await listThisMonth(db)).filter(({ id, name }) => id === named || name === named)
  const [found, ...others] = fitting
  if (!found) {
    throw new Error(`There is no workspace ${named}: \`parley workspace list\` shows them all.`)
  }
  if (others.length > 0) {
    throw new Error(`${fitting.length} workspaces are called ${named}: give the id of one.`)
  }
  return found
}

async function listThisMonth(db: Db): Promise<WorkspaceLine[]> {
  return await listAllWorkspaces(db, { periodStart: monthOf(Date.now()).start })
}
