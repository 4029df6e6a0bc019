/**
 * Writes and reads the cursors of all lists. A cursor comes back from a caller, so it is sealed: nobody
 * reads the ids in it, changes it, or uses it for another list than the one that it was given out for.
 */
import { z } from "zod"
import { badRequest } from "../errors.ts"
import { fitting } from "../pageOfAnswer.ts"
import type { Context } from "./context.ts"

/** The member of requests by which a list goes on. */
export const cursorSchema = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    "`nextCursor` of the page before, for the same operation and the same ids; absent: the first page",
  )

/** Where a list goes on. */
export const nextCursorSchema = z
  .string()
  .optional()
  .describe("For the next page, to be sent as it is; absent: this was the last")

/** The members of requests for a page of a list. */
export const pageMembers = {
  limit: z.int().min(1).max(200).default(50).describe("Most entries on a page"),
  cursor: cursorSchema,
}

/** Reads and writes the cursors of one list. */
export type Cursors<Place> = {
  /** The place in a cursor; undefined: the list begins. Throws a 400 for a cursor of anything else. */
  read(cursor: string | undefined): Place | undefined
  /** The cursor of a place; undefined: there is none. */
  write(place: Place | undefined): { nextCursor?: string }
}

/**
 * The cursors of a list: `bound` names its operation and whatever makes it another list, such as the
 * workspace and the bot.
 */
export function cursorsOf<Place>(
  { cursorCipher: cipher }: Pick<Context, "cursorCipher">,
  bound: readonly [operationId: string, ...unknown[]],
  placeSchema: z.ZodType<Place>,
): Cursors<Place> {
  const list = JSON.stringify(bound)
  return {
    read(cursor) {
      if (cursor === undefined) return undefined
      const sealed = unpack(cursor)
      const place = placeSchema.safeParse(sealed && cipher.open(list, sealed))
      if (!place.success) throw unknownCursor()
      return place.data
    },
    write(place) {
      if (place === undefined) return {}
      const { data, nonce, keyId } = cipher.seal(list, place)
      const head = Buffer.alloc(keyBytes)
      head.writeUInt16BE(keyId)
      return { nextCursor: Buffer.concat([head, nonce, data]).toString("base64url") }
    },
  }
}

const keyBytes = 2
const nonceBytes = 12

function unpack(cursor: string) {
  const bytes = Buffer.from(cursor, "base64url")
  // Decoding passes over what is no base64, so that other texts would stand for the same bytes.
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
 * Cuts a list of one row more than the page, which tells whether there is a next one. The page ends where
 * it would be too large.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
): { page: Row[] /** Of which the next page begins behind; absent: there is none. */; last?: Row } {
  const page = fitting(rows.slice(0, limit))
  const last = page.at(-1)
  return { page, ...(last !== undefined && rows.length > page.length && { last }) }
}
