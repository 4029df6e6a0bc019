/** Leaves out of edits that take something back what the bot can no longer have. */
import { type BotFacts, isAddressTaken } from "../../db/bots/bots.ts"
import type { Db } from "../../db/connection/open.ts"
import type { Edit, EditOf } from "../../engine/edit/editSchema.ts"
import { AppError } from "../../errors.ts"
import { readChanges } from "../readChanges.ts"

type SetMembers = EditOf<"bot.set">

/** What may be lost: with its credential, to another bot, or with the plan. */
const perishable = ["whatsAppCredentialsId", "publicId", "customDomain"] as const

/** The edits without what is lost: refused, they would bar the way to all that the author did before. */
export async function restorable(
  db: Db,
  facts: BotFacts,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const kept: Edit[] = []
  for (const edit of edits)
    kept.push(edit.type === "bot.set" ? await withoutLost(db, facts, edit) : edit)
  return kept
}

async function withoutLost(db: Db, facts: BotFacts, edit: SetMembers): Promise<SetMembers> {
  const kept = { ...edit }
  for (const name of perishable) {
    const value = edit[name]
    if (value && (await isLost(db, facts, { [name]: value }))) delete kept[name]
  }
  return kept
}

async function isLost(db: Db, facts: BotFacts, member: Omit<SetMembers, "type">): Promise<boolean> {
  try {
    await readChanges(db, facts, member)
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
  return await isAddressTaken(db, { ...member, exceptBy: facts.id })
}
