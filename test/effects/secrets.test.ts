/** No outcome contains a secret, for any behaviour of the other side. */
import { expect, test } from "vitest"
import { createSheets } from "../../src/effects/google/sheets.ts"
import { createEmail } from "../../src/effects/mail/email.ts"
import { createResolveHost } from "../../src/effects/mail/smtp.ts"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { createModels } from "../../src/effects/models/models.ts"
import { createHttp } from "../../src/effects/network/http.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { createPayments } from "../../src/effects/payment.ts"
import type { Call, ModelProtocol } from "../../src/engine/calls.ts"
import { type Answer, callContext, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const peer = await startPeer()
const secret = "sk-0123456789-abcdefghij"
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
const { fetch } = outbound
const credentials = wallet({
  ai: { type: "openai", data: { apiKey: secret }, allowedHosts: [new URL(peer.url).host] },
  dify: { type: "dify-ai", data: { apiKey: secret, apiEndpoint: peer.url } },
  stripe: { type: "stripe", data: { live: { secretKey: secret, publicKey: "pk" } } },
  gmail: { type: "gmail", data: { accessToken: secret } },
  sheets: { type: "google sheets", data: { access_token: secret } },
  any: { type: "nocodb", data: { apiKey: secret, baseUrl: peer.url } },
})
const readFile = async () => ({ failed: true as const, description: "No file" })
const script = async () => ({ results: [] })
const mcp = createMcpTools({ credentials, fetch })
const models = createModels({ credentials, readFile, fetch, script, mcp })
const payments = createPayments({ credentials, fetch, baseUrl: peer.url })
const email = createEmail({
  credentials,
  readFile,
  fetch,
  gmailUrl: peer.url,
  resolveHost: createResolveHost([]),
})
const http = createHttp({
  outbound,
  credentials,
  readFile,
  files: { save: async () => "" },
  allowsRestricted: false,
})
const sheets = createSheets({ outbound, credentials, allowsRestricted: false, rootUrl: peer.url })

/** Repeats everything that it received, wherever providers put messages. */
const echo =
  (status: number): Answer =>
  (response, request) => {
    const words = JSON.stringify([request.headers, request.text, request.path])
    const body = { error: { message: words }, message: words, id: 1 }
    response.writeHead(status, { "content-type": "application/json", location: `/${secret}` })
    response.end(JSON.stringify(body))
  }

const broken: Answer = (response) => {
  response.writeHead(200, { "x-key": secret })
  response.write(`data: {"error":{"message":"${secret}"},"event":"error","type":"error"}\n\n`)
  response.end(`data: ${secret}\n\n`)
}

const model = (protocol: ModelProtocol): Call<"model"> => ({
  kind: "model",
  protocol,
  credential:
    protocol === "difyChat" ? { id: "dify", type: "dify-ai" } : { id: "ai", type: "openai" },
  baseUrl: peer.url,
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  maxSteps: 2,
})

async function stream(protocol: ModelProtocol): Promise<unknown> {
  const seen: unknown[] = []
  const answer = models.stream(model(protocol), callContext())
  for (;;) {
    const step = await answer.next()
    seen.push(step.value)
    if (step.done) return seen
  }
}

let mails = 0
const calls: [string, () => Promise<unknown>][] = [
  ...(["chatCompletions", "responses", "anthropicMessages", "difyChat"] as const).flatMap(
    (protocol): [string, () => Promise<unknown>][] => [
      [protocol, () => models.performer(model(protocol), callContext())],
      [`${protocol} as a stream`, () => stream(protocol)],
    ],
  ),
  [
    "a payment",
    () =>
      payments.paymentIntent(
        {
          kind: "paymentIntent",
          credentialsId: "stripe",
          isPreview: false,
          amount: 1,
          currency: "EUR",
        },
        callContext(),
      ),
  ],
  [
    "a mail by Gmail",
    () =>
      email(
        {
          kind: "email",
          credential: { id: "gmail", type: "gmail" },
          to: ["a@b.co"],
          text: String(++mails),
          attachesOnlyUploads: true,
        },
        callContext({ turnKey: `mail${mails}` }),
      ),
  ],
  [
    "a sheet",
    () =>
      sheets(
        {
          kind: "sheet",
          credential: { id: "sheets", type: "google sheets" },
          spreadsheetId: "doc",
          reads: { sheetId: 1 },
        },
        callContext(),
      ),
  ],
  [
    "a request",
    () =>
      http(
        {
          kind: "http",
          credential: { id: "any", type: "nocodb" },
          timeoutMs: 1_000,
          request: {
            method: "POST",
            url: [`${peer.url}/`, { secret: "apiKey" }],
            headers: [["x-key", [{ secret: "apiKey" }]]],
          },
        },
        callContext(),
      ),
  ],
]

const answers: [string, Answer][] = [
  ["echoes with 400", echo(400)],
  ["echoes with 401", echo(401)],
  ["echoes with 500", echo(500)],
  ["breaks off", broken],
  ["hangs up", (response) => response.destroy()],
]

for (const [what, perform] of calls) {
  test.each(answers)(`${what} discloses no secret when the other side %s`, async (_, answer) => {
    peer.answers(answer)
    const outcome = await perform()
    expect(peer.received.length).toBeGreaterThan(0)
    const sent = JSON.stringify(peer.received)
    expect(sent).toContain(secret)
    expect(outcome).toBeDefined()
    // The answer of a success is for the author to use.
    const isSuccess = JSON.stringify(outcome).includes('"status":200')
    if (!isSuccess) expect(JSON.stringify(outcome)).not.toContain(secret)
  })
}
