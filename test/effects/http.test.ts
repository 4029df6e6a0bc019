/** Requests of flows: contents, secrets and answers. */
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { createHttp } from "../../src/effects/network/http.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import type { HttpAsk, HttpRequest } from "../../src/engine/calls.ts"
import { unavailable } from "../../src/lib/errors.ts"
import { callContext, json, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const peer = await startPeer()
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())

let isFull = false
const kept: { bytes: Uint8Array; file: object }[] = []
const http = createHttp({
  outbound,
  credentials: wallet({
    account: {
      type: "openai",
      data: { apiKey: "sk-secret", baseUrl: `${peer.url}//`, quote: 'say "a"', port: 1 },
    },
    proxy: { type: "http proxy", data: { url: "http://10.0.0.1:3128" } },
    emptyProxy: { type: "http proxy", data: {} },
  }),
  readFile: async (url) =>
    url === "https://files.test/a.mp3"
      ? { bytes: new TextEncoder().encode("sound"), contentType: "audio/mpeg", name: "a.mp3" }
      : { failed: true, description: "The file is too large" },
  files: {
    save: async (bytes, file) => {
      if (isFull) throw unavailable("There is no room for files now", 60, new Error("ENOSPC"))
      kept.push({ bytes, file })
      return "https://files.test/kept.mp3"
    },
  },
  allowsRestricted: false,
})

async function send(request: Partial<HttpRequest>, more: Partial<HttpAsk> = {}, context = {}) {
  const ask = { request: { method: "POST", url: `${peer.url}/path`, ...request }, timeoutMs: 5_000 }
  return await http({ kind: "http", ...ask, ...more }, callContext(context))
}

async function sent(request: Partial<HttpRequest>, more: Partial<HttpAsk> = {}) {
  peer.answers(json({ ok: true }))
  expect(await send(request, more)).toEqual({ status: 200, text: '{"ok":true}' })
  const [received] = peer.received
  if (!received) throw new Error("Nothing was received")
  return received
}

const account = { id: "account", type: "openai" }

describe("what goes out", () => {
  it("is the method, the address with its query, and the headers", async () => {
    const received = await sent({
      method: "DELETE",
      url: `${peer.url}/a?b=1#part`,
      query: [
        ["c", "ä &"],
        ["c", "2"],
      ],
      headers: [
        ["X-A", "1"],
        ["Content-Length", "99"],
      ],
    })
    expect(received).toMatchObject({ method: "DELETE", path: "/a?b=1&c=%C3%A4%20%26&c=2" })
    expect(received.headers).toMatchObject({ "x-a": "1" })
  })

  it.each([
    [{ text: "hi" }, "hi", "text/plain;charset=UTF-8"],
    [{ text: "{}", contentType: "application/json" }, "{}", "application/json"],
    [
      {
        form: [
          ["a", "1 ä"],
          ["a", "2"],
        ] as [string, string][],
      },
      "a=1+%C3%A4&a=2",
      "application/x-www-form-urlencoded;charset=UTF-8",
    ],
  ])("has the body of %j with its type", async (body, text, type) => {
    const received = await sent({ body })
    expect(received.text).toBe(text)
    expect(received.headers["content-type"]).toBe(type)
  })

  it("keeps a content type of the author", async () => {
    const headers: HttpRequest["headers"] = [["content-type", "application/vnd.api+json"]]
    const received = await sent({ headers, body: { text: "{}", contentType: "application/json" } })
    expect(received.headers["content-type"]).toBe("application/vnd.api+json")
  })

  it("has no body where the method has none", async () => {
    expect(await sent({ method: "GET", body: { text: "hi" } })).toMatchObject({ text: "" })
  })

  it("can be a form with a file, which is got first", async () => {
    const file = { name: "file", url: "https://files.test/a.mp3" }
    const received = await sent({
      headers: [["Content-Type", "multipart/form-data"]],
      body: { multipart: [["model", "whisper"]], file },
    })
    expect(received.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/)
    expect(received.text).toContain('name="model"\r\n\r\nwhisper')
    expect(received.text).toContain('name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg')
    const missing = { multipart: [], file: { name: "file", url: "https://files.test/b" } }
    expect(await send({ body: missing })).toMatchObject({ description: "The file is too large" })
  })

  it("names every repetition of a call alike, other calls otherwise, and never the session", async () => {
    const keys = new Set<unknown>()
    for (const idempotencyKey of ["session1-1-0", "session1-1-0", "session1-1-1"]) {
      peer.answers(json({}))
      await send({}, { sendsIdempotencyKey: true }, { idempotencyKey })
      keys.add(peer.received[0]?.headers["idempotency-key"])
    }
    expect(keys.size).toBe(2)
    for (const key of keys) expect(key).toMatch(/^parley-[\w-]{43}$/)
    expect((await sent({})).headers).not.toHaveProperty("idempotency-key")
  })
})

describe("secrets", () => {
  it("are put where the templates want them", async () => {
    const received = await sent(
      {
        url: [{ secret: "baseUrl", as: "base" }, "/v1"],
        headers: [
          ["Authorization", ["Bearer ", { secret: "apiKey" }]],
          ["X-Origin", [{ secret: "baseUrl", as: "origin" }]],
          ["X-Port", [{ secret: "port" }]],
          ["X-Fallback", [{ secret: "none", fallback: "else" }]],
        ],
        body: { text: ['{"a":', { secret: "quote", as: "json" }, "}"] },
      },
      { credential: account },
    )
    expect(received).toMatchObject({ path: "/v1", json: { a: 'say "a"' } })
    expect(received.headers).toMatchObject({
      authorization: "Bearer sk-secret",
      "x-origin": peer.url,
      "x-port": "1",
      "x-fallback": "else",
    })
  })

  it("sign in by name and password", async () => {
    const basicAuth = { user: ["", { secret: "apiKey" }], password: "ä:" } as const
    const received = await sent(
      { basicAuth: { user: [...basicAuth.user], password: basicAuth.password } },
      { credential: account },
    )
    const login = Buffer.from("sk-secret:ä:").toString("base64")
    expect(received.headers.authorization).toBe(`Basic ${login}`)
  })

  it("that are missing, or of another account, stop the request", async () => {
    peer.answers(json({}))
    const headers: HttpRequest["headers"] = [["X", [{ secret: "constructor" }]]]
    expect(await send({ headers }, { credential: account })).toMatchObject({
      reason: "credentials",
    })
    for (const credential of [
      { ...account, id: "other" },
      { ...account, type: "smtp" },
    ]) {
      expect(await send({}, { credential })).toMatchObject({ reason: "credentials" })
    }
    expect(peer.received).toHaveLength(0)
  })

  it("are blotted out of refusals", async () => {
    peer.answers(json({ error: "Bad key sk-secret" }, 401))
    expect(await send({}, { credential: account })).toEqual({
      status: 401,
      text: '{"error":"Bad key ***"}',
    })
  })

  it("do not follow a redirect to another host", async () => {
    const other = await startPeer()
    other.answers(json({}))
    const leave = () => {
      peer.answers((response) => response.writeHead(307, { location: other.url }).end())
    }
    leave()
    await send({ headers: [["X-Key", [{ secret: "apiKey" }]]] }, { credential: account })
    expect(other.received).toHaveLength(1)
    expect(other.received[0]?.headers).not.toHaveProperty("x-key")
    leave()
    const text = [{ secret: "apiKey" }]
    expect(await send({ body: { text } }, { credential: account })).toMatchObject({
      reason: "blocked",
    })
    expect(other.received).toHaveLength(1)
  })
})

describe("the answer", () => {
  it("is an answer with any status", async () => {
    peer.answers(json({ error: "none" }, 404))
    expect(await send({})).toEqual({ status: 404, text: '{"error":"none"}' })
    // No class of RFC 9110 has these, but servers that keep robots out send them.
    for (const status of [600, 999]) {
      peer.answers((response) => response.writeHead(status, "Request denied").end("no"))
      expect(await send({})).toEqual({ status, text: "no" })
    }
  })

  it("is an answer with any status text", async () => {
    peer.answers((response) => response.writeHead(200, "Größe").end("hi"))
    expect(await send({})).toEqual({ status: 200, text: "hi" })
  })

  it("is kept as a file where that is wanted, unless it is a refusal", async () => {
    const savesFile = { contentType: "audio/mpeg", extension: "mp3" }
    peer.answers((response) => response.end("sound"))
    const answer = { status: 200, text: "", fileUrl: "https://files.test/kept.mp3" }
    expect(await send({}, { savesFile })).toEqual(answer)
    const { botId, resultId } = callContext()
    expect(kept.map(({ file }) => file)).toEqual([{ botId, resultId, extension: "mp3" }])
    expect(Buffer.from(kept[0]?.bytes ?? []).toString()).toBe("sound")
    peer.answers(json({ error: "no" }, 400))
    expect(await send({}, { savesFile })).toEqual({ status: 400, text: '{"error":"no"}' })
    expect(kept).toHaveLength(1)
  })

  it("blames no server where the store of files fails", async () => {
    const savesFile = { contentType: "audio/mpeg", extension: "mp3" }
    peer.answers((response) => response.end("sound"))
    isFull = true
    onTestFinished(() => {
      isFull = false
    })
    expect(await send({}, { savesFile })).toEqual({
      failed: true,
      description: "There is no room for files now",
    })
  })

  it.each([
    ["nothing", (response: import("node:http").ServerResponse) => response.end()],
    [
      "a page",
      (response: import("node:http").ServerResponse) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    ],
    ["a refusal with status 200", json({ error: "no" })],
  ])("is no file when it is %s", async (_, answer) => {
    const before = kept.length
    peer.answers(answer)
    const savesFile = { contentType: "audio/mpeg", extension: "mp3" }
    expect(await send({}, { savesFile })).toEqual({
      failed: true,
      description: "The answer is no file",
    })
    expect(kept).toHaveLength(before)
  })

  it("is a failure when it is too large, too late, or not there", async () => {
    peer.answers((response) => response.end(Buffer.alloc(5_000_001)))
    expect(await send({})).toMatchObject({ description: "The response is too large" })
    peer.answers(() => {})
    expect(await send({}, { timeoutMs: 100 })).toMatchObject({ reason: "timeout" })
    const signal = AbortSignal.timeout(100)
    expect(await send({}, {}, { signal })).toMatchObject({ reason: "timeout" })
    peer.answers((response) => response.destroy())
    expect(await send({})).toMatchObject({ description: "The server could not be reached" })
    expect(await send({ url: "http://10.0.0.1/" })).toMatchObject({ reason: "blocked" })
  })
})

describe("refusals", () => {
  it.each(["CONNECT", "TRACE"])("meet the method %s", async (method) => {
    expect(await send({ method })).toMatchObject({ failed: true })
  })

  it.each([
    ["X-Name", "\u0141ukasz"],
    ["X-Name", "Ann\r\nX-Admin: yes"],
    ["X Name", "Ann"],
    ["", "Ann"],
  ])("meet the header %j with the value %j, in words", async (name, value) => {
    peer.answers(json({}))
    const headers: HttpRequest["headers"] = [[name, value]]
    expect(await send({ headers })).toEqual({
      failed: true,
      description: "A header of the request cannot be sent",
      details: "HTTP does not allow some character in its name or its value",
    })
    expect(peer.received).toHaveLength(0)
  })

  it("fail with a private proxy, one without an address, and an unknown one", async () => {
    peer.answers(json({}))
    expect(await send({}, { proxyCredentialsId: "proxy" })).toMatchObject({ reason: "blocked" })
    for (const proxyCredentialsId of ["emptyProxy", "none", "account"]) {
      expect(await send({}, { proxyCredentialsId })).toMatchObject({ reason: "credentials" })
    }
    expect(peer.received).toHaveLength(0)
  })
})
