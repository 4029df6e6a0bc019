/** Every file is converted, or refused with a pointer to the defect. */
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { expect, test } from "vitest"
import { countedIds, fixtureBot, fixtureNames } from "../../../test/support/fixtureBots.ts"
import { deepFreeze } from "../../../test/support/freeze.ts"
import { type Flow, hasEvents, prepareBot } from "../../engine/bot.ts"
import { AppError } from "../../lib/errors.ts"
import { flattenIssues } from "../lint/issues.ts"
import { flowOfImport, type ImportedBot, importedBotSchema } from "./importedBot.ts"
import { toLatest } from "./latest.ts"

type Holder = Record<string | number, unknown>

/** Values that a member may be replaced by, names of coercion and of prototypes among them. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, -1, 6, 6.1, 1e21, "", "3", "5", "6", "6.1", "6.2", "start", "__proto__"],
    ...["Webhook", "Google Sheets", "file input", "Typebot link", "hologram", "current", "{{x}}"],
    ...[[], {}, [null], [[]], [{}], { toString: 1, valueOf: 2 }, { length: 3 }, { id: "a" }],
    JSON.parse('{"__proto__": {"version": "6"}, "constructor": 5, "toString": null}'),
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const mutation = fc.record({
  at: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 }),
  how: fc.constantFrom("replace", "delete", "repeat", "swap", "add"),
  value: strange,
  name: fc.constantFrom(
    "version",
    "events",
    "id",
    "type",
    "outgoingEdgeId",
    "options",
    "__proto__",
  ),
})

type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never

/** Changes one place of the bot: each number chooses a member, the last one the place. */
function mutate(bot: unknown, { at, how, value: drawn, name }: Mutation): void {
  // Many draws share a value, and a later mutation may change what an earlier one has put in.
  const value = structuredClone(drawn)
  let holder = bot as Holder
  let key: string | number | undefined
  for (const number of at) {
    const keys = Object.keys(holder)
    const next = keys[number % Math.max(keys.length, 1)]
    if (next === undefined) break
    key = next
    const child = holder[next]
    if (typeof child !== "object" || child === null || number === at.at(-1)) break
    holder = child as Holder
  }
  if (how === "add" && !Array.isArray(holder)) {
    Object.defineProperty(holder, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  if (key === undefined || !Object.hasOwn(holder, key)) return
  if (how === "replace") holder[key] = value
  if (how === "delete") delete holder[key]
  if (!Array.isArray(holder)) return
  if (how === "repeat") holder.push(structuredClone(holder[Number(key)]))
  if (how === "swap") holder.reverse()
}

const files = new Map(fixtureNames.map((name) => [name, fixtureBot(name)]))

const anyFile = fc
  .record({
    name: fc.constantFrom(...fixtureNames),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
  })
  .map(({ name, mutations }) => {
    const bot = structuredClone(files.get(name))
    for (const each of mutations) mutate(bot, each)
    // Plain JSON, as in a request.
    return JSON.parse(JSON.stringify(bot)) as unknown
  })

const pointer = /^(\/([^~/]|~[01])*)*$/

test("a file is converted, or refused with a pointer", () => {
  const seen = { converted: 0, refused: 0, withoutStart: 0 }
  fc.assert(
    fc.property(anyFile, (raw) => {
      const before = JSON.stringify(raw)
      deepFreeze(raw)
      const read = importedBotSchema.safeParse(raw)
      if (!read.success) {
        const issues = flattenIssues(read.error.issues, raw)
        require(issues.length > 0 && issues.every((issue) => pointer.test(issue.pointer ?? "?")))
        seen.refused += 1
      } else {
        const outcome = convert(read.data)
        if (outcome instanceof AppError) {
          require(outcome.code === "BAD_REQUEST")
          require(/^\/bot\/(events|groups)$/.test(outcome.issues?.[0]?.pointer ?? ""))
          seen.withoutStart += 1
        } else {
          requireLatest(outcome)
          seen.converted += 1
        }
      }
      require(JSON.stringify(raw) === before)
    }),
    { numRuns: 2_500 },
  )
  // Both outcomes are common.
  expect(seen.converted).toBeGreaterThan(400)
  expect(seen.refused).toBeGreaterThan(400)
  expect(seen.withoutStart).toBeGreaterThan(5)
})

/** Requires an upgraded, runnable flow that neither another conversion nor another import changes. */
function requireLatest(flow: Flow): void {
  require(hasEvents(flow.version) && flow.events?.[0]?.type === "start")
  require(toLatest(flow, () => expect.fail("nothing new is needed")) === flow)
  const again = convert(importedBotSchema.parse(JSON.parse(JSON.stringify(flow))))
  require(isDeepStrictEqual(again, JSON.parse(JSON.stringify(flow))))
  prepareBot(flow, "version", "bot")
}

function convert(bot: ImportedBot): Flow | AppError {
  try {
    return flowOfImport(bot, countedIds(), ["bot"])
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Thousands of runs take too long with `expect`. */
function require(isTrue: boolean): void {
  if (!isTrue) throw new Error("broken")
}
