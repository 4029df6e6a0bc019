/** Removes members from undo edits that the bot can no longer have. */
import { type BotFacts, isAddressTaken } from "../../db/bots/bots.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { Edit, EditOf } from "../../engine/edit/editSchema.ts"
import { AppError } from "../../lib/errors.ts"
import { plainDomain } from "../publicIds.ts"
import { readChanges } from "../readChanges.ts"

/** Members that may be lost: with a credential, to another bot, or with the plan. */
const perishable = ["whatsAppCredentialsId", "publicId", "customDomain"] as const

/** The edits without lost members: a refusal would block all earlier undos of the author. */
export async function restorable(db: Db, facts: BotFacts, edits: readonly Edit[]): Promise<Edit[]> {
  const sets = edits.filter((edit) => edit.type === "bot.set")
  const lost = new Set<string>()
  for (const name of perishable) {
    // The last one of several edits counts.
    const value = sets.findLast((edit) => edit[name] !== undefined)?.[name]
    if (value && (await isLost(db, facts, { [name]: value }))) lost.add(name)
  }
  const isKept = ([name]: [string, unknown]) => !lost.has(name)
  return edits.map((edit) =>
    edit.type === "bot.set"
      ? (Object.fromEntries(Object.entries(edit).filter(isKept)) as Edit)
      : edit,
  )
}

async function isLost(db: Db, facts: BotFacts, member: Partial<EditOf<"bot.set">>) {
  try {
    await readChanges(db, facts, member)
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
  const { publicId, customDomain } = member
  const domain = customDomain && plainDomain(customDomain)
  const { workspaceId, id: exceptBy } = facts
  return await isAddressTaken(db, { publicId, customDomain: domain, workspaceId, exceptBy })
}
