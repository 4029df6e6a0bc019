/** Rule 10.8: how far a chat has come. */
import { expect, it } from "vitest"
import { ask, bot, type Draft, group, jump, link, onCommand, set, show } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const theme = { general: { progressBar: { isEnabled: true } } }
const shown = (...groups: ReturnType<typeof group>[]) => talk(bot({ theme }, ...groups))
/** Progress with A answers given and R inputs ahead. */
const of = (A: number, R: number) => ((A + 1) / (R + A + 1)) * 100

it("10.8 is absent when the theme does not ask for it, unless a preview insists", () => {
  const flow = bot(group("g", ask.text()))
  expect(talk(flow).turn.progress).toBeUndefined()
  expect(talk(flow, { isPreview: true, isProgressShown: true }).turn.progress).toBe(50)
})

it("10.8 is 100 at the end and absent while only the client or a page is waited for", () => {
  expect(shown(group("g")).turn.progress).toBe(100)
  const wait = set("A", "1", { isExecutedOnClient: true })
  expect(shown(group("g", wait, ask.text())).turn.progress).toBeUndefined()
  const page = show("embed", { url: "u", waitForEvent: { isEnabled: true } })
  expect(shown(group("g", page, ask.text())).turn.progress).toBeUndefined()
})

it("10.8 counts each input once, along all edges and through the rest of the group", () => {
  const items = [
    { content: "A", to: "a" },
    { content: "B", to: "a" },
  ]
  const chat = shown(
    group("g", ask.choice(items, { to: "a" }), ask.text()),
    group("a", ask.text(), ask.text({ to: "g" })),
  )
  expect(chat.turn.progress).toBe(of(0, 4))
})

it("10.8 follows neither jumps nor paths of cards", () => {
  const cards = ask.cards({ items: [{ id: "c", title: "C", paths: [{ id: "p", to: "a" }] }] })
  expect(shown(group("g", cards), group("a", ask.text())).turn.progress).toBe(of(0, 1))
  const jumping = shown(group("g", ask.text(), jump("a")), group("a", ask.text()))
  expect(jumping.turn.progress).toBe(of(0, 1))
})

it("10.8 passes over edges that lead nowhere", () => {
  expect(shown(group("g", ask.text({ to: "gone" }))).turn.progress).toBe(of(0, 1))
})

it("10.8 grows with every saved answer, in loops too, but not with skips and retries", () => {
  const file = ask.file({ isRequired: false })
  const chat = shown(group("g", ask.number(), file, ask.text({ to: "g" })))
  expect(chat.turn.progress).toBe(of(0, 3))
  expect(chat.user("x").turn.progress).toBe(of(0, 3))
  expect(chat.user("1").turn.progress).toBe(of(1, 3))
  expect(chat.user().turn.progress).toBe(of(1, 3))
  expect(chat.user("a").turn.progress).toBe(of(2, 3))
})

it("10.8 continues in the parent where a path of a linked bot ends", () => {
  const kid = (last: Draft) => bot(group("k", ask.text(), last))
  const parent = bot({ theme }, group("g", link("kid"), ask.text(), ask.text()))
  expect(talk(parent, { linked: { kid: kid(ask.text()) } }).turn.progress).toBe(of(0, 4))
  const endless = kid(ask.text({ to: "k" }))
  expect(talk(parent, { linked: { kid: endless } }).turn.progress).toBe(of(0, 2))
})

it("10.8 counts the input that a command has interrupted", () => {
  const flow = bot(
    { theme, events: [onCommand("help", "h", { resumeAfter: true })] },
    group("g", ask.text(), ask.text()),
    group("h", ask.text()),
  )
  expect(talk(flow).commands("help").turn.progress).toBe(of(0, 3))
})

it("10.8 starts again at nothing when a chat begins anew", () => {
  const flow = bot({ theme }, group("g", set("A", "1")))
  expect(talk(flow).user("x").turn.session.progress).toBe(0)
})
