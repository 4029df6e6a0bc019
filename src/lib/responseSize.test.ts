/** How much one answer holds. */
import { expect, it } from "vitest"
import { createRoom, fitting } from "./responseSize.ts"

const entry = "x".repeat(98)

it("holds as many entries as fit, measured in bytes of JSON", () => {
  expect(fitting([entry, entry, entry], 300)).toHaveLength(3)
  expect(fitting([entry, entry, entry], 299)).toHaveLength(2)
  expect(fitting(["ä".repeat(50), entry], 200)).toHaveLength(1)
  expect(fitting(["\u0001".repeat(50), entry], 200)).toHaveLength(1)
})

it("holds one entry of any size, so that pages lead on, and none of none", () => {
  expect(fitting([entry, entry], 10)).toEqual([entry])
  expect(fitting([], 10)).toEqual([])
})

it("has no room for small parts behind a large one", () => {
  const room = createRoom(150)
  expect(room.takes(entry)).toBe(true)
  expect(room.isFull()).toBe(false)
  expect(room.takes(entry)).toBe(false)
  expect(room.takes("x")).toBe(false)
  expect(room.isFull()).toBe(true)
})
