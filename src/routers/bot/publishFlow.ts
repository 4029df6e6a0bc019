/** Publishes a flow, also while others publish the same bot or take its public id. */
import { createHash } from "node:crypto"
import type { BotRow } from "../../db/bots/bots.ts"
import { type NewPublication, type Published, publish } from "../../db/chats/versions.ts"
import { violatedConstraint } from "../../db/connection/failures.ts"
import type { Db } from "../../db/connection/open.ts"
import type { Flow } from "../../engine/bot.ts"
import { conflict } from "../../shared/errors.ts"
import { newId, newUuid } from "../../shared/ids.ts"
import { publicIdFrom } from "./address.ts"

const maxTries = 5

/** A flow as a version stores it. */
export type FlowContent = Pick<NewPublication, "schemaVersion" | "payload" | "contentHash">

/** Serialises a flow; equal flows have equal hashes. */
export function contentOf(flow: Flow): FlowContent {
  const { version: schemaVersion, events, groups, edges, variables, theme, settings } = flow
  const payload = JSON.stringify({ events, groups, edges, variables, theme, settings })
  const contentHash = createHash("sha256").update(`${schemaVersion}\n${payload}`).digest()
  return { schemaVersion, payload, contentHash }
}

/** Publishes the flow of a bot; repeating it with the same flow makes no new version. */
export async function publishFlow(
  db: Db,
  { bot, content, authorId }: { bot: BotRow; content: FlowContent; authorId: string },
): Promise<Published> {
  for (let tries = 0; tries < maxTries; tries++) {
    const publicId = publicIdFrom(bot.name, tries === 0 ? bot.id : newId())
    const ids = { versionId: newUuid(), publishedBotId: newId(), publicId }
    const published = await attempt(db, { botId: bot.id, authorId, ...content, ...ids })
    if (published !== undefined) return published
  }
  throw conflict("The bot is being published by somebody else; try again")
}

/** Resolves to undefined when someone else published it, or took the public id, meanwhile. */
async function attempt(db: Db, made: NewPublication): Promise<Published | undefined> {
  try {
    return await publish(db, made)
  } catch (error) {
    if (violatedConstraint(error) === "bots_public_id_key") return undefined
    throw error
  }
}
