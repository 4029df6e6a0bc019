/** Every block type answers in a chat exactly what the schemas describe. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { z } from "zod"
import { respond } from "../../src/chat/continueChat.ts"
import { chatInputSchema } from "../../src/engine/chatInput.ts"
import { chatMessageSchema, clientActionSchema } from "../../src/engine/payload.ts"
import type { Turn } from "../../src/engine/turn/run.ts"
import { AppError } from "../../src/lib/errors.ts"
import { chatStepShape } from "../../src/routers/chat/chatSchemas.ts"
import { anyFlow, anyMessage, converse } from "../support/anyFlow.ts"
import { ask, block, bot, type Draft, group, idOf, say, set, show } from "../support/bots.ts"
import { talk } from "../support/talk.ts"
import { requireDescribed } from "../support/watchAnswers.ts"

const variableId = idOf("Kept")
const action = { credentialsId: "c", responseMapping: [{ item: "Message content", variableId }] }

/** A block for each kind of message, action and question, so that random flows need no luck. */
const certain: Draft[] = [
  show("image", { url: "https://example.com/a.png" }),
  show("video", { url: "https://youtu.be/dQw4w9WgXcQ" }),
  show("audio", { url: "https://example.com/a.mp3" }),
  show("file", { url: "https://example.com/a.pdf" }),
  show("embed", { url: "https://example.com" }),
  show("embed", { url: "https://example.com", waitForEvent: { isEnabled: true, name: "done" } }),
  block("Wait", { secondsToWaitFor: "1" }),
  block("Redirect", { url: "https://example.com" }),
  block("Script", { content: "hi()" }),
  block("Code", { content: "alert({{Kept}})", isExecutedOnClient: true }),
  set("Kept", "location.href", { isExecutedOnClient: true }),
  block("Webhook", { isExecutedOnClient: true, webhook: { url: "https://e.com", method: "GET" } }),
  block("webhook", {}),
  block("Chatwoot", { websiteToken: "token" }),
  block("Pixel", { pixelId: "1", eventType: "Lead" }),
  block("Google Analytics", { trackingId: "G-1", action: "click" }),
  block("zendesk", { ...action, action: "Open Web Widget", webWidgetKey: "key" }),
  block("openai", { ...action, action: "Create chat completion", model: "m", messages: [] }),
  block("cal-com", { action: "Book event", link: "ann/30min" }),
  ask.payment({ credentialsId: "c", currency: "EUR", amount: "12" }),
]

/** Kinds that older services sent, and this one does not. */
const former = ["action streamOpenAiChatCompletion"]

it("every kind of message, question and action of a chat", () => {
  const stepSchema = z.object(chatStepShape)
  const seen = new Set<string>()
  const hold = (turn: Turn) => {
    const step = respond(turn)
    requireDescribed("continueChat", stepSchema, step)
    for (const { type } of step.messages) seen.add(`message ${type}`)
    for (const { type } of step.clientSideActions ?? []) seen.add(`action ${type}`)
    if (step.input) seen.add(`input ${step.input.type}`)
  }
  const paid = { intentId: "pi_1", clientSecret: "secret", publicKey: "pk" }
  const parts = { isStreamEnabled: true, answers: { paymentIntent: () => paid } }
  for (const each of certain) hold(talk(bot(group("A", each, say("{{Kept}}"))), parts).turn)
  fc.assert(
    fc.property(anyTalk, ({ flow, ...how }) => {
      for (const turn of converse(flow, how)) if (!(turn instanceof AppError)) hold(turn)
    }),
    { numRuns: 300 },
  )
  const kinds = { message: chatMessageSchema, action: clientActionSchema, input: chatInputSchema }
  const every = Object.entries(kinds).flatMap(([kind, schema]) =>
    typesOf(schema).map((type) => `${kind} ${type}`),
  )
  expect(every.filter((each) => !seen.has(each))).toEqual(former)
})

const anyTalk = fc.record({
  flow: anyFlow,
  kid: anyFlow,
  messages: fc.array(anyMessage, { minLength: 12, maxLength: 12 }),
  isPreview: fc.boolean(),
  luck: fc.nat({ max: 50 }),
})

/** The names by which the members of a union are told apart. */
function typesOf(union: z.ZodType): string[] {
  return [...(union._zod.propValues?.type ?? [])].map(String)
}
