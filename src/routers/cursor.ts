/**
 * Writes and reads the cursors of all lists. Callers send cursors back, so each is encrypted and bound to
 * its list: callers cannot read the ids in it, change it, or use it for another list.
 */
import { z } from "zod"
import { badRequest } from "../lib/errors.ts"
import { fitting } from "../lib/responseSize.ts"
import type { Context } from "./context.ts"

export const cursorSchema = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    "`nextCursor` of the previous page of the same operation and ids; absent: the first page",
  )

export const nextCursorSchema = z
  .string()
  .optional()
  .describe("Cursor of the next page; absent: this is the last one")

/** The response of a list; each list adds its entries. */
export const pageSchema = z.object({ nextCursor: nextCursorSchema })

/** The position in a list whose entries have UUIDs. Made once: to make a schema takes longer than to read a cursor. */
export const uuidPositionSchema = z.guid()

export const pageMembers = {
  limit: z.int().min(1).max(200).default(50).describe("Maximum number of entries per page"),
  cursor: cursorSchema,
}

/** Seals values: `bound` names the operation and what else distinguishes them. */
export function sealsOf<Value>(
  { cursorCipher: cipher }: Pick<Context, "cursorCipher">,
  bound: readonly [operationId: string, ...unknown[]],
  schema: z.ZodType<Value>,
) {
  const name = JSON.stringify(bound)
  return {
    /** Undefined: it is not one of these. */
    open(text: string): Value | undefined {
      const sealed = unpack(text)
      return schema.safeParse(sealed && cipher.open(name, sealed)).data
    },
    seal(value: Value): string {
      const { data, nonce, keyId } = cipher.seal(name, value)
      const head = Buffer.alloc(keyBytes)
      head.writeUInt16BE(keyId)
      return Buffer.concat([head, nonce, data]).toString("base64url")
    },
  }
}

/**
 * The cursors of a list: `bound` names its operation and what else distinguishes it from other lists, such as
 * the workspace and the bot.
 */
export function cursorsOf<Position>(
  ctx: Pick<Context, "cursorCipher">,
  bound: readonly [operationId: string, ...unknown[]],
  positionSchema: z.ZodType<Position>,
) {
  const seals = sealsOf(ctx, bound, positionSchema)
  return {
    /** The position in a cursor; undefined: the start of the list. Throws a 400 for the cursor of another list. */
    read(cursor: string | undefined): Position | undefined {
      if (cursor === undefined) return undefined
      const position = seals.open(cursor)
      if (position === undefined) throw unknownCursor()
      return position
    },
    /** The cursor of a position; undefined: there is none. */
    write(position: Position | undefined): { nextCursor?: string } {
      return position === undefined ? {} : { nextCursor: seals.seal(position) }
    },
  }
}

const keyBytes = 2
const nonceBytes = 12

function unpack(cursor: string) {
  const bytes = Buffer.from(cursor, "base64url")
  // Decoding skips characters that are not base64, so several texts would decode to the same bytes.
  if (bytes.toString("base64url") !== cursor || bytes.length < keyBytes + nonceBytes)
    return undefined
  return {
    keyId: bytes.readUInt16BE(),
    nonce: bytes.subarray(keyBytes, keyBytes + nonceBytes),
    data: bytes.subarray(keyBytes + nonceBytes),
  }
}

function unknownCursor(): Error {
  const message =
    "cursor is not one of this list: send the `nextCursor` of the page before, to the operation and " +
    "with the ids that it came from, or none to begin again"
  return badRequest(message, [{ message: "Unknown cursor", path: ["cursor"], code: "custom" }])
}

/**
 * Cuts a page from rows that were read with one more than the limit, to detect another
 * page. A page that would be too large ends earlier.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
): {
  page: Row[] /** The row after which the next page begins; absent: there is none. */
  last?: Row
} {
  const page = fitting(rows.slice(0, limit))
  const last = page.at(-1)
  return { page, ...(last !== undefined && rows.length > page.length && { last }) }
}
