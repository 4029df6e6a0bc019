/** Tests that data can be decrypted only for the right id and with the right key. */
import { expect, test } from "vitest"
import { createCipher } from "./cipher.ts"

const old = "an old secret of enough characters"
const recent = "a new secret of enough characters!"
const data = { apiKey: "sk-very-secret", nested: { list: [1, "ä"] } }

test("decrypts its own output, which differs each time", () => {
  const cipher = createCipher([old])
  const [a, b] = [cipher.seal("c1", data), cipher.seal("c1", data)]
  expect(cipher.open("c1", a)).toEqual(data)
  expect(a.nonce).toHaveLength(12)
  expect(a.data.equals(b.data)).toBe(false)
  expect(a.data.toString("latin1")).not.toContain("sk-very-secret")
})

test("opens nothing under another id", () => {
  const cipher = createCipher([old])
  expect(cipher.open("c2", cipher.seal("c1", data))).toBeUndefined()
})

test("opens nothing that was changed or cut", () => {
  const cipher = createCipher([old])
  const sealed = cipher.seal("c1", data)
  const changed = Buffer.from(sealed.data)
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0)
  expect(cipher.open("c1", { ...sealed, data: changed })).toBeUndefined()
  expect(cipher.open("c1", { ...sealed, data: Buffer.alloc(3) })).toBeUndefined()
})

test("decrypts data of an older secret, and marks it as outdated", () => {
  const sealed = createCipher([old]).seal("c1", data)
  const both = createCipher([recent, old])
  expect(both.open("c1", sealed)).toEqual(data)
  expect(both.isOutdated(sealed)).toBe(true)
  expect(both.isOutdated(both.seal("c1", data))).toBe(false)
  expect(createCipher([recent]).open("c1", sealed)).toBeUndefined()
})
