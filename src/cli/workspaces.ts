/** parley workspace: lists workspaces with what they have used, and sets their plans. */
import type { Db } from "../db/connection/openDatabase.ts"
import { listAllWorkspaces, setPlan } from "../db/people/workspaces.ts"
import { liftQuarantine } from "../db/results/usage.ts"
import { chatsLimitOf, isClosedByQuota, monthOf, type Plan, plans } from "../lib/plans.ts"
import { command, tell, word } from "./command.ts"
import { printTable } from "./printTable.ts"
import { withDatabase } from "./withDatabase.ts"

const titles = ["ID", "PLAN", "CHATS", "LIMIT", "STATE", "NAME", "ADMINS"]

export const listWorkspacesCommand = command({
  name: "workspace list",
  description: "List workspaces, their plans, use of this month and ADMINs",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database, config: { planLimits } }) => {
      const all = await listThisMonth(database)
      const rows = all.map(({ id, name, admins, isSuspended, isQuarantined, ...facts }) => {
        const limit = chatsLimitOf(facts, planLimits) ?? facts.chatsHardLimit ?? "-"
        const isClosed = isQuarantined && (!facts.isCounted || isClosedByQuota(facts, planLimits))
        const state = isSuspended ? "suspended" : isClosed ? "closed" : "open"
        return [id, facts.plan, String(facts.chats), String(limit), state, name, admins.join(", ")]
      })
      printTable([titles, ...rows])
    })
  },
})

/** Sets the plan of a workspace; one that the quota had closed opens if the new limits allow. */
export const setPlanCommand = command({
  name: "workspace set-plan",
  description: `Set the plan of a workspace: ${plans.join(", ")}`,
  args: {
    workspace: word("Id or name of the workspace"),
    plan: word("The plan"),
  },
  run: async ({ workspace: named, plan: wanted }, environment) => {
    const plan = planOf(wanted)
    await withDatabase(environment, async ({ database, config: { planLimits } }) => {
      const fitting = (await listThisMonth(database)).filter(
        ({ id, name }) => id === named || name === named,
      )
      const [found, ...others] = fitting
      if (!found) {
        throw new Error(`There is no workspace ${named}: \`parley workspace list\` shows them all.`)
      }
      if (others.length > 0) {
        throw new Error(`${fitting.length} workspaces are called ${named}: give the id of one.`)
      }
      await setPlan(database, found.id, plan)
      const isClosed = isClosedByQuota({ ...found, plan }, planLimits)
      if (found.isCounted && !isClosed) await liftQuarantine(database, found.id)
      tell(`The workspace "${found.name}" has the plan ${plan}.`)
    })
  },
})

function planOf(wanted: string): Plan {
  const plan = plans.find((each) => each === wanted.toUpperCase())
  if (plan) return plan
  throw new Error(`"${wanted}" is not a plan: give one of ${plans.join(", ")}.`)
}

async function listThisMonth(db: Db) {
  return await listAllWorkspaces(db, monthOf(Date.now()).start)
}
