/** Cursors: only what a list has written is read, and by that list alone. */
import { expect, test } from "vitest"
import { z } from "zod"
import { createCipher } from "../effects/credentials/cipher.ts"
import type { AppError } from "../lib/errors.ts"
import { cursorsOf } from "./cursor.ts"

const secret = "one secret of thirty-two characters"
const newer = "another secret of thirty-two chars."
const list = ["listThings", "workspace", "bot"] as const

const cursorsWith = (
  secrets: string[],
  bound: typeof list | readonly [string, ...unknown[]] = list,
) =>
  cursorsOf({ cursorCipher: createCipher(secrets, "cursors") }, bound, z.object({ id: z.string() }))

const place = { id: "0199bbbb-0000-7000-8000-000000000000" }
const cursor = cursorsWith([secret]).write(place).nextCursor ?? ""

function refusalOf(text: string, cursors = cursorsWith([secret])): AppError | undefined {
  try {
    cursors.read(text)
    return undefined
  } catch (error) {
    return error as AppError
  }
}

test("a cursor leads back to its place, also in another process with the same secret", () => {
  expect(cursorsWith([secret]).read(cursor)).toEqual(place)
  expect(cursorsWith([secret]).read(undefined)).toBeUndefined()
  expect(cursorsWith([secret]).write(undefined)).toEqual({})
})

test("a cursor outlives a new secret as long as the former one is named", () => {
  expect(cursorsWith([newer, secret]).read(cursor)).toEqual(place)
  expect(refusalOf(cursor, cursorsWith([newer]))?.code).toBe("BAD_REQUEST")
})

test("a cursor tells nothing of its place", () => {
  expect(cursor).toMatch(/^[\w-]{1,200}$/)
  expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toContain(place.id.slice(0, 8))
})

test.each([
  ["another operation", ["listOthers", "workspace", "bot"]],
  ["another workspace", ["listThings", "other", "bot"]],
  ["another bot", ["listThings", "workspace", "other"]],
  ["ids that only join to the same text", ["listThings", "workspace,bot"]],
] as const)("a cursor of %s is refused in words", (_, bound) => {
  const refusal = refusalOf(cursor, cursorsWith([secret], bound))
  expect(refusal?.reason).toBe("BAD_REQUEST")
  expect(refusal?.message).toContain("cursor is not one of this list")
  expect(refusal?.issues).toMatchObject([{ path: ["cursor"] }])
})

test("a cursor of which any bit is another one is refused", () => {
  const bytes = Buffer.from(cursor, "base64url")
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(refusalOf(changed.toString("base64url"))?.code, `bit ${bit}`).toBe("BAD_REQUEST")
  }
})

test("a cursor has one way to be written", () => {
  const last = cursor.at(-1) ?? ""
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const others = [...alphabet].filter((each) => each !== last)
  const ways = [`${cursor}=`, ` ${cursor}`, `${cursor}\n`, `${cursor}.`, ""]
  for (const way of [...ways, ...others.map((each) => cursor.slice(0, -1) + each)]) {
    expect(refusalOf(way)?.code, way).toBe("BAD_REQUEST")
  }
})

test.each([
  ["what was encrypted for another purpose", createCipher([secret])],
  ["a place of another form", createCipher([secret], "cursors")],
])("%s is no cursor", (_, cursorCipher) => {
  const made = cursorsOf({ cursorCipher }, list, z.unknown()).write({ id: 1 })
  expect(refusalOf(made.nextCursor ?? "")?.code).toBe("BAD_REQUEST")
})

test.each([
  ["a plain id", place.id],
  ["plain JSON", Buffer.from(JSON.stringify(place)).toString("base64url")],
  ["a few bytes", "AAAA"],
  ["nonsense", "💥".repeat(300)],
])("%s is no cursor", (_, text) => {
  expect(refusalOf(text)?.code).toBe("BAD_REQUEST")
})
