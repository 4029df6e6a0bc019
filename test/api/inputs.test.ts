/** Every type of input over REST: a wrong answer is asked for again, a right one goes on. */
import { createServer } from "node:http"
import { afterAll, describe, expect, it } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, bot, type Draft, group, say } from "../support/bots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

let isStripeDown = false
const stripe = createServer((request, response) => {
  if (isStripeDown) {
    response.writeHead(400).end(JSON.stringify({ error: { message: "acct_1 is locked" } }))
    return
  }
  const isIntent = request.method === "POST"
  const intent = isIntent ? { client_secret: "pi_1_secret" } : { status: "succeeded" }
  response.end(JSON.stringify({ id: "pi_1", ...intent }))
})
await new Promise<void>((resolve) => stripe.listen(0, "127.0.0.1", resolve))
afterAll(() => stripe.close())
const address = stripe.address()
const stripePort = typeof address === "object" && address ? address.port : 0

const server = await testServer({
  PARLEY_STRIPE_URL: `http://127.0.0.1:${stripePort}/v1`,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
  PARLEY_DEFAULT_PLAN: "PRO",
})

const items = [
  { id: "r", content: "Red" },
  { id: "b", content: "Blue", value: "bl" },
]
const pictures = [{ id: "p1", pictureSrc: "https://x.example/1.png", title: "One" }]
const cards = [{ id: "c1", title: "Plan A", paths: [{ id: "path1", text: "Take it" }] }]

/** The input, what it refuses, what it takes, and what it makes of that. */
const cases: [name: string, input: Draft, wrong: unknown, right: unknown, saved: string][] = [
  ["text", ask.text({ saves: "V" }), undefined, "anything", "anything"],
  ["number", ask.number({ saves: "V", max: 10 }), "eleven", "3,5", "3.5"],
  ["e-mail", ask.email({ saves: "V" }), "nobody", "A@B.co", "a@b.co"],
  ["URL", ask.url({ saves: "V" }), "not a url", "https://x.example/a", "https://x.example/a"],
  [
    "phone",
    ask.phone({ saves: "V", defaultCountryCode: "FR" }),
    "0",
    "06 01 02 03 04",
    "+33601020304",
  ],
  ["date", ask.date({ saves: "V" }), "never", "2024-01-10", "10/01/2024"],
  ["time", ask.time({ saves: "V" }), "whenever", "5pm", "17:00"],
  ["choice", ask.choice(items, { saves: "V" }), "Green", "Blue", "bl"],
  ["choices", ask.choice(items, { saves: "V", isMultipleChoice: true }), "none", "1, 2", "Red, bl"],
  ["picture", ask.picture({ saves: "V", items: pictures }), "Two", "One", "One"],
  ["card", ask.cards({ saves: "V", items: cards }), "Plan Z", "path1", "Plan A"],
  ["rating", ask.rating({ saves: "V", length: 5 }), "6", "4", "4"],
  [
    "file",
    ask.file({ saves: "V" }),
    "no file",
    "https://x.example/a.pdf",
    "https://x.example/a.pdf",
  ],
]

const withInput = (input: Draft): Flow => bot(group("Ask", input, say("Saved {{V}}")))

describe("an input", () => {
  it.each(cases)("of a %s asks again for a wrong answer", async (_, input, wrong, right, saved) => {
    const { publicId, botId } = await publishBot(server, withInput(input))
    const chat = await chatOver(server, publicId)
    const refused = await chat.say(wrong)
    expect(refused.status).toBe(200)
    expect(refused.body.input?.id).toBe(chat.step.input?.id)
    expect(textsOf(refused.body)).toHaveLength(1)
    const accepted = await chat.say(right)
    expect(textsOf(accepted.body)).toEqual([`Saved ${saved}`])
    const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
    const { body } = await server.send("GET", path)
    expect(body.result).toMatchObject({ isCompleted: true, answers: [{ content: saved }] })
  })

  it("of a payment asks again until the provider confirms it", async () => {
    const { body: listed } = await server.send("GET", "/api/v1/workspaces")
    const [workspace] = listed.workspaces as { id: string }[]
    const data = { live: { publicKey: "pk_live_1", secretKey: "sk_live_1" } }
    const made = await server.send("POST", "/api/v1/credentials", {
      body: {
        scope: "workspace",
        workspaceId: workspace?.id,
        credentials: { type: "stripe", name: "Till", data },
      },
    })
    const input = ask.payment({
      saves: "V",
      credentialsId: made.body.credentialsId,
      currency: "EUR",
      amount: "12",
    })
    const { publicId } = await publishBot(server, withInput(input))
    const chat = await chatOver(server, publicId)
    expect(chat.step.input).toMatchObject({
      runtimeOptions: { paymentIntentSecret: "pi_1_secret", publicKey: "pk_live_1" },
    })
    expect(JSON.stringify(chat.step)).not.toContain("sk_live_1")
    const refused = await chat.say("fail")
    expect(textsOf(refused.body)).toEqual(["The payment did not go through. Please try again."])
    expect(textsOf((await chat.say("Success")).body)).toEqual(["Saved Success"])
    isStripeDown = true
    const later = await chatOver(server, publicId)
    isStripeDown = false
    expect(later.step.messages).toHaveLength(chat.step.messages.length + 1)
    expect(later.step.input).toMatchObject({ type: "choice input", items: [{ id: "retry" }] })
    expect(later.step.logs).toEqual([
      { status: "error", description: "The payment could not be prepared" },
    ])
    expect((await later.say("Try again")).body.input).toMatchObject({
      type: "payment input",
      runtimeOptions: { paymentIntentSecret: "pi_1_secret" },
    })
  })
})
