/** A chat as people see it, line by line: what the bot, the person and the team said. */
import { z } from "zod"
import { rebuildConversation } from "../../engine/recorded/rebuildConversation.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { AppError, badRequest } from "../../lib/errors.ts"
import { firstUuidAt } from "../../lib/ids.ts"
import { readChat } from "../../results/readChat.ts"
import type { Context } from "../context.ts"
import { sealsOf } from "../cursor.ts"
import { lineShape } from "../result/recordedOperations.ts"
import type { OpenChat } from "./requireChat.ts"

export const chatLineSchema = namedObject("ChatLine", "One line of a chat", {
  id: z.string().describe("Id of the line in its chat"),
  ...lineShape,
})

export const afterSchema = z
  .string()
  .max(2_000)
  .optional()
  .describe("`nextCursor` of lines, or the id of an event; absent: from the first line on")

/** Up to where a chat was read: a time, and how many lines of turns and beside them were read of it. */
export type Position = readonly [at: number, turns: number, kept: number]

const positionSchema = z.tuple([z.int(), z.int(), z.int()])

/** A line with the position after it. */
type PlacedLine = { line: z.infer<typeof chatLineSchema>; position: Position }

/** Writes and reads the positions in a chat that callers hold. */
export function positionsOf(
  ctx: Pick<Context, "cursorCipher">,
  { botId, resultId }: Pick<OpenChat, "botId" | "resultId">,
) {
  const seals = sealsOf(ctx, ["chatLines", botId, resultId], positionSchema)
  return {
    seal: (position: Position) => seals.seal([...position]),
    /** Absent: the start. Throws a 400 for a position of another chat. */
    open(text: string | undefined): Position {
      return text === undefined ? chatStart : (seals.open(text) ?? refuse())
    },
  }
}

const chatStart: Position = [0, 0, 0]

/** Nothing follows it. */
export const chatOver: Position = [Date.UTC(9999, 0), 0, 0]

/**
 * The lines of a chat after a position. What was stored in one millisecond has one time, and grows at the end of
 * its kind alone, so lines are counted by kind.
 */
export async function readLines(
  ctx: Pick<Context, "db" | "chat">,
  chat: Pick<OpenChat, "botId" | "resultId">,
  [since, ...seen]: Position,
): Promise<PlacedLine[]> {
  const read = { at: since, counts: [0, 0] as [turns: number, kept: number] }
  return (await findLines(ctx, chat, since)).flatMap(({ at, id, ...said }) => {
    const kind = id === undefined ? 0 : 1
    if (at !== read.at) Object.assign(read, { at, counts: [0, 0] })
    const { counts } = read
    counts[kind] += 1
    if (at === since && counts[kind] <= seen[kind]) return []
    const line = { id: id ?? idOf(at, counts[0]), at: new Date(at).toISOString(), ...said }
    // Lines of the other kind that were read before count, even those that come later in this order.
    const [turns, kept] = at === since ? seen : [0, 0]
    const position: Position = [at, Math.max(turns, counts[0]), Math.max(kept, counts[1])]
    return [{ line, position }]
  })
}

/** The id of a line that a turn has stored: turns and lines of them only follow each other. */
function idOf(at: number, place: number): string {
  return firstUuidAt(at).slice(0, -placeDigits) + place.toString(16).padStart(placeDigits, "0")
}

/** The last digits of a UUID. */
const placeDigits = 12

async function findLines(
  ctx: Pick<Context, "db" | "chat">,
  chat: Pick<OpenChat, "botId" | "resultId">,
  since: number,
) {
  try {
    const { own, turns, bots } = await readChat(ctx, chat, since > 0 ? new Date(since) : undefined)
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
