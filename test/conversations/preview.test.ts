/** Chapter 12: what differs between a preview and a live chat. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, type Draft, group, idOf, link, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const preview = { isPreview: true }
const both = (...blocks: Draft[]) => {
  const flow = bot(group("g", ...blocks))
  return { live: talk(flow), preview: talk(flow, preview) }
}

describe("a preview", () => {
  it("12.1 leaves no results, however far it goes", () => {
    const chat = talk(bot(group("g", ask.text(), { type: "hologram" })), preview)
      .user("x")
      .ends()
    expect(chat.results).toEqual([])
  })

  it("12.1 has no result id: the block that asks for it gets a new one each time", () => {
    const set = block("Set variable", { variableId: idOf("A"), type: "Result ID" })
    const chats = both(set, say("{{A}}"), set, say("{{A}}"))
    const [first, second] = chats.preview.turn.messages.map(({ content }) =>
      JSON.stringify(content),
    )
    expect(first).not.toBe(second)
    chats.live.bot("0199aaaa-0000-7000-8000-00000000aaaa", "0199aaaa-0000-7000-8000-00000000aaaa")
  })

  it("12.2 sends nothing to trackers", () => {
    const pixel = block("Pixel", { pixelId: "P", eventType: "Lead" })
    const analytics = block("Google Analytics", { trackingId: "G", action: "a" })
    const chats = both(pixel, analytics)
    expect(chats.live.turn.actions.map(({ type }) => type)).toEqual([
      "startPropsToInject",
      "pixel",
      "googleAnalytics",
    ])
    chats.preview.idle()
  })

  it("12.2 sends no mail and says so", () => {
    const mail = block("Email", { credentialsId: "default", recipients: ["a@b.co"], body: "Hi" })
    const chats = both(mail, say("on"))
    chats.live.calls("email", { to: ["a@b.co"] })
    chats.preview
      .bot("on")
      .turns({ logs: [{ status: "info" }] })
      .ends()
  })

  it("12.2 does not open Chatwoot, but closes it", () => {
    const chats = both(block("Chatwoot", { websiteToken: "t" }))
    chats.preview.does({ chatwoot: { scriptToExecute: { content: "" } } })
    chats.preview.turns({ logs: [{ status: "info" }] })
    chats.live.does({
      chatwoot: { scriptToExecute: { content: expect.stringContaining("sdk.js") } },
    })
    const closing = both(block("Chatwoot", { task: "Close widget" })).preview
    closing.does({ chatwoot: { scriptToExecute: { content: expect.stringMatching(/./) } } })
  })

  it("12.3 asks for payments with the test keys", () => {
    const payment = ask.payment({ credentialsId: "c", amount: "5" })
    const chats = both(payment)
    chats.live.calls("paymentIntent", { isPreview: false, amount: 500 })
    chats.preview.calls("paymentIntent", { isPreview: true, amount: 500 })
  })

  it("12.4 links to other bots without results of their own", () => {
    const linked = { kid: bot(group("k", ask.text())) }
    const chat = talk(bot(group("g", link("kid"), say("back"))), { ...preview, linked })
    chat.user("x").bot("back").ends()
    expect(chat.turn.session.queue.map(({ resultId }) => resultId)).toEqual([undefined])
  })

  it("2.5 stays open after its end: a further message answers the last input again", () => {
    const chat = talk(bot(group("g", ask.text({ saves: "A" }), say("{{A}}"))), preview)
    chat.user("1").bot("1").ends().user("2").bot("2").ends()
  })
})
