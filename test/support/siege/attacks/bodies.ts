/** Bodies that are hard to read, never end, or are far too many. */
import { gzipSync } from "node:zlib"
import { type Asked, ask, type Got, maxAttackMs, speak } from "../ask.ts"
import { type Attack, bounded, control, type Judge, refused, served } from "../attack.ts"
import { atOnce, closeAll, headOf } from "../floods.ts"
import { block, flowOf, many, say } from "../flow.ts"

const body = (name: string, asked: Omit<Asked, "path">, judge: Judge = bounded): Attack => ({
  name,
  door: "bodies",
  run: ({ address, honestPublicId }) =>
    ask(address, { path: `/api/v1/bots/${honestPublicId}/startChat`, ...asked }),
  judge,
})

const members = (count: number, make: (index: number) => string) =>
  `{"prefilledVariables":{${many(count, make).join(",")}}}`
const mebibyte = 1024 * 1024

const odd: Attack[] = [
  body(
    "lists of 250,000 levels",
    { body: "[".repeat(500_000) + "]".repeat(500_000) },
    refused(400, 413),
  ),
  body(
    "objects of 100,000 levels",
    { body: `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}` },
    refused(400),
  ),
  body(
    "number of a million digits",
    { body: `{"message":${"9".repeat(1_000_000)}}` },
    refused(400),
  ),
  body("number with a huge exponent", { body: '{"message":1e999999999}' }, refused(400)),
  body("100,000 equal keys", { body: members(100_000, () => '"a":1') }),
  body("60,000 keys", { body: members(60_000, (index) => `"k${index}":1`) }, refused(400)),
  body("keys that are numbers", { body: members(190, (index) => `"${4_294_967_000 + index}":1`) }),
  body("__proto__ as a key", {
    body: '{"__proto__":{"message":"x"},"prefilledVariables":{"__proto__":{"a":1},"constructor":1}}',
  }),
  body("half letters", { body: `{"message":"${"\\ud800".repeat(16_000)}"}` }),
  body("escapes of every letter", { body: `{"message":"${"\\u0061".repeat(16_000)}"}` }),
  body("bytes that are no UTF-8", { body: Buffer.alloc(900_000, 0xff) }, refused(400)),
  body("white space of 1 MB", { body: " ".repeat(1_000_000) }),
  body("text of UTF-16", { body: Buffer.from('{"message":"x"}', "utf16le") }, refused(400)),
  body(
    "packed body of 100 MB",
    { body: gzipSync(Buffer.alloc(100_000_000, 32)), headers: { "content-encoding": "gzip" } },
    refused(415),
  ),
  body("body of 5 MB", { body: `"${"x".repeat(5 * mebibyte)}"` }, refused(413)),
  body(
    "form instead of JSON",
    { body: "a=b", headers: { "content-type": "text/plain" } },
    refused(415),
  ),
  body("long Idempotency-Key", { body: {}, headers: { "idempotency-key": "x".repeat(7_000) } }),
  {
    name: "long session id",
    door: "REST",
    run: ({ address }) =>
      ask(address, { path: `/api/v1/sessions/${"x".repeat(8_000)}/continueChat`, body: {} }),
    judge: refused(400, 404),
  },
  {
    name: "client logs of 900 kB",
    door: "REST",
    run: async ({ address, honestPublicId }) => {
      const started = await ask(address, {
        path: `/api/v1/bots/${honestPublicId}/startChat`,
        body: {},
      })
      const sessionId = /"sessionId":"([^"]+)"/.exec(started.text)?.[1]
      const details = many(17_000, (index) => ({ [`k${index}`]: [[[index]]] }))
      const clientLogs = many(2, () => ({ description: "x".repeat(1_000), details }))
      return ask(address, {
        path: `/api/v1/sessions/${sessionId}/clientLogs`,
        body: { clientLogs },
      })
    },
    judge: bounded,
  },
]

/** A head that promises 3.9 MB, and all of them but the last byte. */
const unfinished = (path: string) =>
  Buffer.concat([
    Buffer.from(headOf("POST", path, { "content-length": String(3_900_000) })),
    Buffer.alloc(3_899_999, 32),
  ])

/** A head, and the beginning of a body in chunks, whose end never comes. */
const unendedChunks = (path: string, bytes: number, chunkBytes = bytes) => {
  const chunk = `${chunkBytes.toString(16)}\r\n${" ".repeat(chunkBytes)}\r\n`
  const chunks = chunk.repeat(bytes / chunkBytes)
  return Buffer.from(headOf("POST", path, { "Transfer-Encoding": "chunked" }) + chunks)
}

/** Many at once begin a body in chunks and go silent; another client is served afterwards. */
const silentChunks = (count: number, chunks: string, bytes: Buffer): Attack => ({
  name: `${count} silent bodies of ${chunks}`,
  door: "bodies",
  crowd: 1,
  run: async ({ address }) => {
    const speaking = () => speak(address, bytes, { forMs: 4_000, staysOpen: true })
    closeAll(await atOnce(count, speaking))
    return ask(address, { path: "/healthz" })
  },
  judge: served,
})

const preview = "/api/v1/bots/none/preview/startChat"

const floods: Attack[] = [
  silentChunks(300, "one chunk of 3.9 MB", unendedChunks(preview, 3_900_000)),
  silentChunks(300, "chunks of 1 kB", unendedChunks(preview, 3_900_000, 1_000)),
  silentChunks(300, "one chunk of 1 kB", unendedChunks(preview, 1_000)),
  silentChunks(20, "chunks of one byte", unendedChunks(preview, 100_000, 1)),
  {
    name: "300 unfinished bodies of 3.9 MB",
    door: "bodies",
    crowd: 1,
    run: async ({ address }) => {
      const bytes = unfinished("/api/v1/bots/none/preview/startChat")
      // How long the service takes to read more than it has room for depends on the machine.
      let refuse = (): void => undefined
      const refusal = new Promise<void>((resolve) => {
        refuse = resolve
      })
      const patience = { forMs: maxAttackMs, staysOpen: true, until: refusal }
      const spoken = await atOnce(300, async () => {
        const heard = await speak(address, bytes, patience)
        if (heard.status !== 0) refuse()
        return heard
      })
      closeAll(spoken)
      const none = { status: 0, bytes: 0, milliseconds: maxAttackMs, text: "all were taken" }
      return spoken.find(({ status }) => status !== 0) ?? none
    },
    judge: (got) =>
      refused(503)(got) ?? (/retry-after: \d/i.test(got.text) ? undefined : "no Retry-After"),
  },
  {
    name: "preview flows of 3.9 MB without end",
    door: "anonymous preview",
    crowd: 8,
    run: ({ address }, nth) => {
      const flow = flowOf([say(`${nth} ${Math.random()} ${"x".repeat(3_900_000)}`)])
      return ask(address, { path: "/api/v1/bots/none/preview/startChat", body: { bot: flow } })
    },
    judge: bounded,
  },
  {
    name: "100 preview flows of 1 MB, each another",
    door: "anonymous preview",
    crowd: 1,
    run: async ({ address }) => {
      // Each is made of one text, or else the attacker would be as busy as the service.
      const flow = JSON.stringify({ bot: flowOf([say("unlike"), ...pads(4_999)]) })
      const got = await atOnce(100, () => {
        const body = flow.replace("unlike", `${Math.random()}`)
        return ask(address, { path: "/api/v1/bots/none/preview/startChat", body })
      })
      return got.find((each) => bounded(each) !== undefined) ?? one(got)
    },
    judge: bounded,
  },
  {
    name: "1,000 chats started and left",
    door: "published bot",
    crowd: 1,
    run: async ({ address, honestPublicId }) => {
      const path = `/api/v1/bots/${honestPublicId}/startChat`
      let last = await ask(address, { path, body: {} })
      for (let round = 0; round < 20; round++) {
        const got = await atOnce(50, () => ask(address, { path, body: {} }))
        last = got.find((each) => bounded(each) !== undefined) ?? one(got)
      }
      return last
    },
    judge: bounded,
  },
  {
    name: "1,000 starts under keys of their own",
    door: "published bot",
    crowd: 1,
    run: async ({ address, honestPublicId }) => {
      const path = `/api/v1/bots/${honestPublicId}/startChat`
      // More at once are a flood, which is for rate limits to stop.
      const got: Got[] = []
      for (let round = 0; round < 25; round++) {
        const headers = () => ({ "idempotency-key": `${Math.random()}` })
        got.push(...(await atOnce(40, () => ask(address, { path, body: {}, headers: headers() }))))
      }
      return got.find((each) => bounded(each) !== undefined) ?? one(got)
    },
    judge: bounded,
  },
  {
    name: "200 starts under one key",
    door: "published bot",
    crowd: 1,
    run: async ({ address, honestPublicId }) => {
      const path = `/api/v1/bots/${honestPublicId}/startChat`
      const headers = { "idempotency-key": `one-${Math.random()}` }
      const got = await atOnce(200, () => ask(address, { path, body: {}, headers }))
      return got.find((each) => bounded(each) !== undefined) ?? one(got)
    },
    judge: bounded,
  },
  control(
    body(
      "honest body",
      { body: { message: "Hello", prefilledVariables: { Name: "Ann" } } },
      served,
    ),
  ),
  control(
    body(
      "honest body of 150 kB",
      { body: { message: "x".repeat(90_000), prefilledVariables: { Other: "x".repeat(60_000) } } },
      served,
    ),
  ),
]

const pads = (count: number) =>
  many(count, () => block("text input", { labels: { button: "x".repeat(130) } }))

function one<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error("Nothing was sent")
  return first
}

export const bodyAttacks: Attack[] = [...odd, ...floods]
