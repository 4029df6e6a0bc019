/** Fuel: what one call may cost, wherever the cost comes from, and that the price is always the same. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limitsOf, liveLimits, maxPrinted, previewLimits } from "../../src/engine/budget/fuel.ts"
import { ask, block, bot, group, idOf, say, set, show, when } from "../support/bots.ts"
import { expensiveFlow } from "../support/expensiveFlows.ts"
import { spend } from "../support/spending.ts"
import { talk } from "../support/talk.ts"

const expensive = (place: RegExp) =>
  expect.objectContaining({
    code: "UNPROCESSABLE_CONTENT",
    reason: "FLOW_TOO_EXPENSIVE",
    message: expect.stringMatching(place),
  })

const V = "v".repeat(400_000)
const L = Array.from({ length: 10_000 }, (_, n) => `element ${n}`)
const longMany = "{{V}}".repeat(1_000)
const fields = {
  "a text": say(longMany),
  "an address": show("image", { url: longMany }),
  "an embed": show("embed", { url: longMany }),
  "a placeholder": ask.text({ labels: { placeholder: longMany } }),
  "a choice": ask.choice([longMany]),
  "a card": ask.cards({ items: [{ id: "i", title: longMany }] }),
  "a picture": ask.picture({ items: [{ id: "i", title: longMany }] }),
  "a rating": ask.rating({ labels: { left: longMany } }),
  "a redirect": block("Redirect", { url: longMany }),
  "the body of a request": block("Webhook", {
    isCustomBody: true,
    webhook: { url: "https://e.com", body: longMany },
  }),
  "a header": block("Webhook", {
    webhook: { url: "https://e.com", headers: [{ id: "h", key: "X", value: longMany }] },
  }),
  "a retry text": ask.email({ retryMessageContent: longMany }),
  "a comparison": when([["V", "Equal to", longMany]]),
  "a list of cards": ask.cards({
    items: [
      { id: "i", title: "{{L}}", paths: Array.from({ length: 400 }, (_, n) => ({ id: `${n}` })) },
    ],
  }),
  "40 catastrophic patterns": when(
    Array.from({ length: 40 }, () => ["V", "Matches regex", "(a?){40}b$"]),
  ),
  "a long text in a longer one": when([["S", "Contains", "{{T}}"]]),
  "a list against a list": when([["L", "Contains", "{{M}}"]]),
}

describe("13.1 a call that costs too much is refused, and the block is named", () => {
  it.each(Object.entries(fields))("%s", (_, draft) => {
    const M = L.map((element) => `${element}!`)
    const S = "a".repeat(400_000)
    const T = `${"a".repeat(100_000)}b${"a".repeat(100_000)}`
    const flow = bot({ variables: { V, L, M, S, T } }, group("Dear", say("Hi"), draft))
    expect(() => talk(flow)).toThrow(expensive(/group "Dear" › block 2/))
  })

  it("the theme, also of a chat that is only registered", () => {
    const theme = { chat: { hostAvatar: { url: longMany } } }
    const flow = bot({ variables: { V }, theme }, group("g", say("Hi")))
    expect(() => talk(flow)).toThrow(expensive(/theme or settings/))
  })

  it("a loop that takes a list apart element by element", () => {
    const pop = block("Set variable", { variableId: idOf("L"), type: "Pop" }, { to: "g" })
    expect(() => talk(bot({ variables: { L } }, group("g", pop)))).toThrow(expensive(/"g"/))
  })

  it("output beyond the limit, even if cheap", () => {
    const W = "w".repeat(300_000)
    const shown = Array.from({ length: 8 }, () => show("image", { url: "{{W}}" }))
    const limits = { fuel: 2_000_000 }
    expect(() => talk(bot({ variables: { W } }, group("g", ...shown)), { limits })).toThrow(
      expensive(new RegExp(`prints more than ${maxPrinted} characters.*block 7`)),
    )
  })
})

it("a replay of the transcript reads no definition's value, which would be work at no price", () => {
  let reads = 0
  const transcript = block("Set variable", { variableId: idOf("T"), type: "Transcript" })
  const flow = bot(
    { variables: { L, T: null } },
    group("g", ask.text(), transcript, { ...transcript, to: "g" }),
  )
  const variables = flow.variables.map(({ value, ...definition }) => ({
    ...definition,
    get value() {
      reads += 1
      return value
    },
  }))
  const chat = talk({ ...flow, variables })
  const before = reads
  for (let times = 0; times < 5; times++) chat.user("on")
  expect(reads).toBe(before)
})

describe("13.1 the budget", () => {
  const half = (limits: { fuel: number }) => {
    const chat = talk(bot(group("g", say("Hi"), ask.text(), say("Bye"))), { limits })
    return chat.turn.continuation.spent
  }

  it("is larger for members who preview their bots than for live chats and strangers", () => {
    expect(previewLimits.fuel).toBeGreaterThan(2 * liveLimits.fuel)
    expect(limitsOf({ isPreview: true })).toBe(previewLimits)
    expect(limitsOf({ isPreview: true, isRestricted: true })).toBe(liveLimits)
    expect(limitsOf({ isPreview: false })).toBe(liveLimits)
  })

  it("is hardly used by ordinary turns of any size", () => {
    expect(half(liveLimits)).toBeLessThan(liveLimits.fuel / 1_000)
    expect(half(liveLimits)).toBe(half(previewLimits))
  })

  it("holds for the whole call, the answers of the world included", () => {
    const request = block("Webhook", { webhook: { url: "https://e.com" } })
    const flow = bot(group("g", ...Array.from({ length: 20 }, () => request), say("on")))
    const text = `[${"1,".repeat(500_000)}1]`
    const answers = { http: () => ({ status: 200, text }) }
    expect(() => talk(flow, { answers })).toThrow(expensive(/"g" › block \d+ "Webhook"/))
  })

  it("begins anew with every call", () => {
    const slow = [set("A", `"${"a".repeat(50_000)}"`), say("{{A}}"), ask.text({ to: "g" })]
    const chat = talk(bot(group("g", ...slow)))
    const first = chat.turn.continuation.spent
    for (let times = 0; times < 30; times++) chat.user("on")
    expect(chat.turn.continuation.spent).toBeLessThan(3 * first)
  })
})

describe("13.1 flows that try to be expensive", () => {
  const runs = Number(process.env.FUEL_RUNS ?? 40)

  it("end within ten times their budget, at the same price every time", () => {
    // Ten units are about a microsecond. Collecting the garbage of former files counts in, too.
    const maxMs = (10 * liveLimits.fuel) / 10_000
    let refused = 0
    fc.assert(
      fc.property(
        expensiveFlow,
        fc.constantFrom("1", "on", "a@b.co", "word a"),
        (flow, message) => {
          const [first, second] = [spend(flow, message), spend(flow, message)]
          for (const [step, { cpuMs, error }] of first.entries()) {
            expect(Math.min(cpuMs, second[step]?.cpuMs ?? cpuMs)).toBeLessThan(maxMs)
            if (error) refused += 1
          }
          const prices = (steps: typeof first) =>
            steps.map(({ turn, error }) => turn?.continuation.spent ?? error?.message)
          expect(prices(second)).toEqual(prices(first))
        },
      ),
      // A flow that breaks the law is slow, and shrinking it would take hours.
      { numRuns: runs, endOnFailure: true },
    )
    expect(refused).toBeGreaterThan(runs / 10)
  })
})
