/** Parties whose scripts begin on the thread for long ones. */
import { expect, it } from "vitest"
import { strangerParty, userParty } from "../../lib/party.ts"
import { rememberOverruns } from "./overruns.ts"

const author = userParty("author", "one workspace")

/** A memory of two parties with a clock that is moved by hand. */
function scene() {
  let time = 1_000
  const overruns = rememberOverruns({ allowed: 1, forgetMs: 100, parties: 2, now: () => time })
  const overrun = (count: number, party = author) => {
    for (let nth = 0; nth < count; nth++) overruns.count(party)
  }
  return { ...overruns, overrun, pass: (ms: number) => (time += ms) }
}

it("allows a few scripts that need more than a short time", () => {
  const { isLong, overrun } = scene()
  overrun(1)
  expect(isLong(author)).toBe(false)
  overrun(1)
  expect(isLong(author)).toBe(true)
})

it("counts the workspaces of one owner together, and strangers by address", () => {
  const { isLong, overrun } = scene()
  overrun(2)
  expect(isLong(userParty("author", "another workspace"))).toBe(true)
  expect(isLong(userParty("another"))).toBe(false)
  overrun(2, strangerParty("192.0.2.1"))
  expect(isLong(strangerParty("192.0.2.1"))).toBe(true)
  expect(isLong(strangerParty("192.0.2.2"))).toBe(false)
})

it("forgets one after the other, however many there were", () => {
  const { isLong, overrun, pass } = scene()
  overrun(50)
  pass(99)
  expect(isLong(author)).toBe(true)
  pass(1)
  expect(isLong(author)).toBe(false)
  overrun(1)
  expect(isLong(author)).toBe(true)
})

it("forgets the party that overran longest ago when there are too many", () => {
  const { isLong, overrun } = scene()
  overrun(2, userParty("first"))
  overrun(2, userParty("second"))
  overrun(1, userParty("first"))
  overrun(2, userParty("third"))
  expect(["first", "second", "third"].map((id) => isLong(userParty(id)))).toEqual([
    true,
    false,
    true,
  ])
})
