/** A chat as people see it, line by line: what the bot, the person and the team said. */
import { z } from "zod"
import { rebuildConversation } from "../../engine/recorded/rebuildConversation.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest } from "../../lib/errors.ts"
import { firstUuidAt } from "../../lib/ids.ts"
import { fitting } from "../../lib/responseSize.ts"
import { readChat } from "../../results/readChat.ts"
import type { Context } from "../context.ts"
import { sealsOf } from "../cursor.ts"
import { lineShape } from "../result/recordedOperations.ts"
import type { OpenChat } from "./requireChat.ts"

export const chatLineSchema = namedObject("ChatLine", "One line of a chat", {
  id: z.string().describe("Id of the line in its chat"),
  ...lineShape,
})

/** A line with the position after it. */
type PlacedLine = { line: z.infer<typeof chatLineSchema>; nextCursor: string }

const positionSchema = z.tuple([z.int(), z.int()])

/** The lines of a chat after a position; absent: all. Throws a 400 for a position of another chat. */
export async function readLines(
  ctx: Pick<Context, "db" | "chat" | "cursorCipher">,
  chat: Pick<OpenChat, "botId" | "resultId">,
  after: string | undefined,
): Promise<PlacedLine[]> {
  const seals = sealsOf(ctx, ["chatLines", chat.botId, chat.resultId], positionSchema)
  // Turns and messages only follow each other, and what one of them says has one time.
  const [since, seen] = after === undefined ? [0, 0] : (seals.open(after) ?? refuse())
  let place = 0
  let last = 0
  return (await findLines(ctx, chat)).flatMap(({ at, id, ...said }) => {
    place = at === last ? place + 1 : 1
    last = at
    if (at < since || (at === since && place <= seen)) return []
    const line = { id: id ?? idOf(at, place), at: new Date(at).toISOString(), ...said }
    return [{ line, nextCursor: seals.seal([at, place]) }]
  })
}

/** The id of a line that a turn has stored: turns and lines of them only follow each other. */
function idOf(at: number, place: number): string {
  return firstUuidAt(at).slice(0, -placeDigits) + place.toString(16).padStart(placeDigits, "0")
}

/** The last digits of a UUID. */
const placeDigits = 12

/** The first of some lines that fit into a response, and the position after them. */
export function pageOfLines(lines: readonly PlacedLine[], limit: number) {
  const page = fitting(lines.slice(0, limit))
  return { lines: page, hasMore: page.length < lines.length }
}

async function findLines(
  ctx: Pick<Context, "db" | "chat">,
  chat: Pick<OpenChat, "botId" | "resultId">,
) {
  try {
    const { own, turns, bots } = await readChat(ctx, chat)
    const kept = own.kept.map(({ createdAt, ...each }) => ({ ...each, at: createdAt.getTime() }))
    return rebuildConversation(turns, kept, bots).lines
  } catch (error) {
    // A chat that was only registered has no result yet.
    if (error instanceof AppError && error.code === "NOT_FOUND") return []
    throw error
  }
}

function refuse(): never {
  throw badRequest("after is not one of this chat: send `nextCursor` of its last page, or none", [
    { message: "Unknown position", path: ["after"], code: "custom" },
  ])
}
