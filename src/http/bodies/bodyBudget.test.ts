/** Holds the count of request bodies to its two limits. */
import { expect, test } from "vitest"
import { openBodyBudget } from "./bodyBudget.ts"

const kilobyte = 1_024
const budget = () => openBodyBudget(400 * kilobyte)
const refusal = { code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 1 }

/** What an error is, if one is thrown. */
function outcomeOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

test("an address may hold a quarter, whatever number of requests it takes", () => {
  const bodies = budget()
  const accounts = Array.from({ length: 9 }, () => bodies.open("10.0.0.1"))
  for (const account of accounts) account.take(10 * kilobyte)
  expect(outcomeOf(() => bodies.open("10.0.0.1").take(10 * kilobyte))).toMatchObject(refusal)
  expect(outcomeOf(() => accounts[0]?.take(10 * kilobyte))).toMatchObject(refusal)
  bodies.open("10.0.0.2").take(90 * kilobyte)
  accounts[0]?.close()
  bodies.open("10.0.0.1").take(10 * kilobyte)
})

test("all together may hold the whole, and a small body is taken all the same", () => {
  const bodies = budget()
  const accounts = [1, 2, 3, 4].map((n) => bodies.open(`10.0.0.${n}`))
  for (const account of accounts) account.take(99 * kilobyte)
  const own = bodies.open("10.0.0.5")
  expect(outcomeOf(() => own.take(5 * kilobyte))).toMatchObject(refusal)
  expect(outcomeOf(() => own.reserve(5 * kilobyte))).toMatchObject(refusal)
  own.take(3 * kilobyte)
  expect(outcomeOf(() => own.take(kilobyte))).toMatchObject(refusal)
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

test("an announced length is reserved at once, and what comes of it is not counted again", () => {
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
  const ends = Array.from({ length: 8 }, (_, n) => bodies.open(`10.0.0.${n}`).drain())
  expect(ends.every(Boolean)).toBe(true)
  expect(bodies.open("10.0.0.9").drain()).toBeUndefined()
  ends[0]?.()
  expect(bodies.open("10.0.0.9").drain()).toBeDefined()
})

test("the addresses of one IPv6 network are one caller", () => {
  const bodies = budget()
  bodies.open("2001:db8:1:2::1").take(99 * kilobyte)
  const same = bodies.open("2001:db8:1:2:ffff::9")
  expect(outcomeOf(() => same.take(9 * kilobyte))).toMatchObject(refusal)
  bodies.open("2001:db8:1:3::1").take(9 * kilobyte)
  bodies.open("unknown").take(9 * kilobyte)
})
