/** Tests of the form of API tokens. */
import { expect, test } from "vitest"
import { hashToken, hintOf, isToken, newToken } from "./apiTokens.ts"

test("a fresh token has the published form and is recognised", () => {
  const token = newToken()
  expect(token).toMatch(/^parley_pat_[0-9A-Za-z]{46}$/)
  expect(isToken(token)).toBe(true)
  expect(newToken()).not.toBe(token)
})

// The CRC-32 of the text before it, as any other implementation computes it: 0x86ccdc40.
test("the checksum is CRC-32 in base 62, most significant digit first", () => {
  expect(isToken(`parley_pat_${"0".repeat(40)}2T3KMa`)).toBe(true)
})

test("a token with one wrong character is refused", () => {
  const token = newToken()
  for (let place = "parley_pat_".length; place < token.length; place++) {
    const other = token[place] === "x" ? "y" : "x"
    expect(isToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
})

test("texts of another form are refused", () => {
  const token = newToken()
  for (const text of ["", "parley_pat_", ` ${token}`, `${token}\n`, token.toUpperCase()]) {
    expect(isToken(text)).toBe(false)
  }
})

test("a token is kept as a hash of 32 bytes and a hint of its last four characters", () => {
  const token = newToken()
  expect(hashToken(token)).toHaveLength(32)
  expect(hashToken(token).equals(hashToken(token))).toBe(true)
  expect(hintOf(token)).toBe(token.slice(-4))
})
