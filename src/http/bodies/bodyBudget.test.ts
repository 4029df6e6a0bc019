/** Holds the count of request bodies to its two limits. */
import { expect, test } from "vitest"
import { createBodyBudget } from "./bodyBudget.ts"

const kilobyte = 1_024
const budget = () => createBodyBudget(400 * kilobyte)
const refusal = { code: "SERVICE_UNAVAILABLE", data: { retryAfter: 1 } }

/** What an error is, if one is thrown. */
function outcomeOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

test("an address may hold a quarter, by any number of requests", () => {
  const bodies = budget()
  const accounts = Array.from({ length: 9 }, () => bodies.open("10.0.0.1"))
  for (const account of accounts) account.take(10 * kilobyte)
  expect(outcomeOf(() => bodies.open("10.0.0.1").take(10 * kilobyte))).toMatchObject(refusal)
  expect(outcomeOf(() => accounts[0]?.take(10 * kilobyte))).toMatchObject(refusal)
  bodies.open("10.0.0.2").take(20 * kilobyte)
  accounts[0]?.close()
  bodies.open("10.0.0.1").take(10 * kilobyte)
})

test("many addresses leave some of it to one that holds nothing", () => {
  const bodies = budget()
  for (let address = 0; address < 12; address++) {
    for (let body = 0; body < 40; body++) {
      outcomeOf(() => bodies.open(`10.0.0.${address}`).take(10 * kilobyte))
    }
  }
  expect(bodies.heldBytes()).toBeGreaterThan(300 * kilobyte)
  expect(outcomeOf(() => bodies.open("10.0.1.0").take(5 * kilobyte))).toBeUndefined()
})

test("all together may hold the whole, and a small body is taken all the same", () => {
  const bodies = budget()
  const accounts = Array.from({ length: 100 }, (_, n) => bodies.open(`10.0.0.${n}`))
  for (const account of accounts) outcomeOf(() => account.take(5 * kilobyte))
  const own = bodies.open("10.0.1.0")
  expect(outcomeOf(() => own.take(10 * kilobyte))).toMatchObject(refusal)
  expect(outcomeOf(() => own.reserve(10 * kilobyte))).toMatchObject(refusal)
  own.take(3 * kilobyte)
  for (const account of [own, ...accounts]) account.close()
  expect(bodies.heldBytes()).toBe(0)
})

test("parts count for more than their bytes", () => {
  const bodies = budget()
  const account = bodies.open("10.0.0.1")
  for (let part = 0; part < 300; part++) account.take(1)
  expect(bodies.heldBytes()).toBeGreaterThan(50 * kilobyte)
  account.close()
  account.close()
  expect(bodies.heldBytes()).toBe(0)
})

test("an announced length is reserved at once, and not counted again as its bytes arrive", () => {
  const bodies = budget()
  const account = bodies.open("10.0.0.1")
  account.reserve(90 * kilobyte)
  expect(bodies.heldBytes()).toBe(90 * kilobyte)
  expect(outcomeOf(() => bodies.open("10.0.0.1").reserve(20 * kilobyte))).toMatchObject(refusal)
  for (let part = 0; part < 8; part++) account.take(10 * kilobyte)
  expect(bodies.heldBytes()).toBe(90 * kilobyte)
  account.take(15 * kilobyte)
  expect(bodies.heldBytes()).toBeGreaterThan(95 * kilobyte)
  account.close()
  expect(bodies.heldBytes()).toBe(0)
})

test("so many refused bodies are read away at once, and no more", () => {
  const bodies = budget()
  const ends = Array.from({ length: 32 }, (_, n) => bodies.open(`10.0.0.${n}`).drain())
  expect(ends.every(Boolean)).toBe(true)
  expect(bodies.open("10.0.1.0").drain()).toBeUndefined()
  ends[0]?.()
  expect(bodies.open("10.0.1.0").drain()).toBeDefined()
})

test("an address has no more of them read away than four", () => {
  const bodies = budget()
  const ends = Array.from({ length: 5 }, () => bodies.open("10.0.0.1").drain())
  expect(ends.map(Boolean)).toEqual([true, true, true, true, false])
})

test("the addresses of one IPv6 network are one caller", () => {
  const bodies = budget()
  bodies.open("2001:db8:1:2::1").take(99 * kilobyte)
  const same = bodies.open("2001:db8:1:2:ffff::9")
  expect(outcomeOf(() => same.take(9 * kilobyte))).toMatchObject(refusal)
  bodies.open("2001:db8:1:3::1").take(9 * kilobyte)
  bodies.open("unknown").take(9 * kilobyte)
})
