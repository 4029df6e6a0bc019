/** Secrets of the workspace: how calls carry them to other servers, and what comes back. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { afterAll, describe, expect, test } from "vitest"
import { createEmail } from "../../src/effects/mail/email.ts"
import { createResolveHost } from "../../src/effects/mail/smtp.ts"
import { createHttp } from "../../src/effects/network/http.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import { createScripts } from "../../src/effects/scripts.ts"
import { maxSecretsInCall, openTurnVariables } from "../../src/effects/variables/turnVariables.ts"
import type { Call, HttpRequest } from "../../src/engine/calls.ts"
import { callContext, json, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const [peer, other] = [await startPeer(), await startPeer()]
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
const sandbox = openSandbox()
afterAll(async () => {
  sandbox.close()
  await outbound.close()
})

const secret = 'MARKER "secret" & 0123456789'
const names = Array.from({ length: maxSecretsInCall + 1 }, (_, index) => `key${index}`)
const known = new Map([
  ["key", { value: secret, isSecret: true }],
  ["plain", { value: "MARKER-plain", isSecret: true }],
  ["shop", { value: "Tea", isSecret: false }],
  ...names.map((name) => [name, { value: `${name} 0123`, isSecret: true }] as const),
])
const { shown, secrets } = openTurnVariables(known)
const markOf = (name: string) => shown.get(name)?.sent ?? ""
const mark = markOf("key")
const plainMark = markOf("plain")
const readFile = async () => ({ failed: true, description: "None" }) as const
const context = callContext(secrets ? { secrets } : {})

test("the engine gets marks in place of secrets, and other marks in every turn", () => {
  expect(JSON.stringify([...shown])).not.toContain("MARKER")
  expect(shown.get("shop")).toEqual({ shown: "Tea", sent: "Tea" })
  expect(shown.get("key")?.shown).toBe("•••")
  expect(openTurnVariables(known).shown.get("key")?.sent).not.toBe(mark)
  expect(openTurnVariables(new Map([["a", { value: "b", isSecret: false }]])).secrets).toBe(
    undefined,
  )
})

describe("22.6 a request", () => {
  const http = createHttp({
    outbound,
    credentials: wallet({}),
    readFile,
    files: { save: async () => "" },
    allowsRestricted: true,
  })
  const send = async (request: Partial<HttpRequest>, how = context) => {
    const whole = { method: "POST", url: `${peer.url}/a`, ...request }
    return await http({ kind: "http", request: whole, timeoutMs: 5_000 }, how)
  }
  const received = () => peer.received.at(-1)

  test("carries secrets encoded for their place", async () => {
    peer.answers(json({}))
    await send({
      url: `${peer.url}/${plainMark}?k=${encodeURIComponent(mark)}`,
      headers: [
        ["X-Key", mark],
        ["Authorization", `Basic ann:${mark}`],
      ],
      body: { text: JSON.stringify({ key: `Bearer ${mark}` }), contentType: "application/json" },
    })
    expect(received()?.path).toBe(`/MARKER-plain?k=${encodeURIComponent(secret)}`)
    const login = Buffer.from(`ann:${secret}`).toString("base64")
    expect(received()?.headers).toMatchObject({
      "x-key": secret,
      authorization: `Basic ${login}`,
    })
    expect(received()?.json).toEqual({ key: `Bearer ${secret}` })
    await send({ body: { form: [["key", mark]] } })
    expect(new URLSearchParams(received()?.text).get("key")).toBe(secret)
  })

  test("gets an answer without them, in every form in which the server repeats them", async () => {
    peer.answers((response, { headers, path, text }) => {
      response.end(JSON.stringify({ headers, path, text, [secret]: encodeURIComponent(secret) }))
    })
    const outcome = await send({
      url: `${peer.url}/a?k=${encodeURIComponent(mark)}`,
      headers: [["Authorization", `Basic ann:${mark}`]],
      body: { text: mark },
    })
    expect(outcome).toMatchObject({ status: 200, text: expect.stringContaining("•••") })
    const login = Buffer.from(`ann:${secret}`).toString("base64")
    for (const form of ["MARKER", login]) expect(JSON.stringify(outcome)).not.toContain(form)
  })

  test("takes them to no other origin when it is redirected", async () => {
    other.answers(json({}))
    peer.answers((response) => response.writeHead(307, { location: `${other.url}/b` }).end())
    await send({ method: "GET", headers: [["X-Key", mark]] })
    expect(other.received.at(-1)?.headers).not.toHaveProperty("x-key")
    const sent = other.received.length
    const outcome = await send({ body: { text: mark } })
    expect(outcome).toMatchObject({ failed: true, reason: "blocked" })
    expect(other.received).toHaveLength(sent)
  })

  test("replaces no marks of another turn, which a visitor may have seen", async () => {
    peer.answers(json({}))
    const later = openTurnVariables(known)
    const how = callContext(later.secrets ? { secrets: later.secrets } : {})
    await send({ body: { text: `${mark} ${later.shown.get("plain")?.sent}` } }, how)
    expect(received()?.text).toBe(`${mark} MARKER-plain`)
  })

  test("is not made with more secrets than can be searched for in its answer", async () => {
    const sent = peer.received.length
    const outcome = await send({ body: { text: names.map(markOf).join(" ") } })
    expect(outcome).toMatchObject({ failed: true, reason: "limit" })
    expect(peer.received).toHaveLength(sent)
  })

  test("that cannot be sent says nothing of them", async () => {
    const outcome = await send({ url: `http://127.0.0.1:1/${plainMark}`, headers: [["X", mark]] })
    expect(outcome).toMatchObject({ failed: true })
    expect(JSON.stringify(outcome)).not.toContain("MARKER")
  })
})

/** As authors write it, since scripts have no `btoa`. */
function toBase64(text: string) {
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  const bits = Array.from(text, (each) => each.charCodeAt(0).toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,6}/g) ?? []
  const encoded = groups.map((each) => signs[Number.parseInt(each.padEnd(6, "0"), 2)]).join("")
  return encoded.padEnd(4 * Math.ceil(encoded.length / 4), "=")
}

describe("22.6 a script", () => {
  const scripts = createScripts({ sandbox, outbound, allowsRestricted: false })
  const run = async (written: string) => {
    const globals = { url: peer.url, $key: mark, $plain: plainMark }
    const code = `${toBase64}; ${written}`
    const call: Call<"script"> = { kind: "script", scripts: [{ code, globals, mode: "program" }] }
    return await scripts(call, context)
  }

  test("sends secrets in its requests, encoded as it encodes them", async () => {
    peer.answers(json({}))
    await run(`await fetch(url + "/?k=" + encodeURIComponent($key), {
      method: "POST",
      headers: { "X-Key": $key },
      body: JSON.stringify({ key: $key }),
    })`)
    const { path, headers, json: body } = peer.received.at(-1) ?? {}
    expect(path).toBe(`/?k=${encodeURIComponent(secret)}`)
    expect(headers).toMatchObject({ "x-key": secret })
    expect(body).toEqual({ key: secret })
  })

  test("sends them in base64, in JSON within JSON and in JSON within addresses", async () => {
    peer.answers((response, { headers }) => {
      response.end(headers.authorization)
    })
    const outcome = await run(`
      const login = toBase64("ann:" + $key + ":" + $plain + "?!")
      const ofAddress = login.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_")
      const filter = encodeURIComponent(JSON.stringify({ key: $key }))
      return await fetch(url + "/" + ofAddress + "?l=" + encodeURIComponent(login) + "&f=" + filter, {
        method: "POST",
        headers: { Authorization: "Basic " + login },
        body: JSON.stringify({ payload: JSON.stringify({ key: $key, login }) }),
      })`)
    const login = Buffer.from(`ann:${secret}:MARKER-plain?!`)
    const encoded = login.toString("base64")
    const filter = encodeURIComponent(JSON.stringify({ key: secret }))
    const { path, headers, json: body } = peer.received.at(-1) ?? {}
    expect(path).toBe(
      `/${login.toString("base64url")}?l=${encodeURIComponent(encoded)}&f=${filter}`,
    )
    expect(headers?.authorization).toBe(`Basic ${encoded}`)
    expect(body).toEqual({ payload: JSON.stringify({ key: secret, login: encoded }) })
    expect(JSON.stringify(outcome)).toContain("•••")
    expect(JSON.stringify(outcome)).not.toContain(encoded.slice(8, 16))
  })

  test("sees them neither in its variables nor in answers", async () => {
    peer.answers((response, { text }) => {
      response.end(text)
    })
    const outcome = await run(`
      const echo = await fetch(url, { method: "POST", body: "<" + $plain + ">" })
      setVariable("Echo", echo)
      setVariable("Half", $plain.slice(0, -1))
      return [$plain, echo.length, $key + "!"]
    `)
    expect(outcome).toMatchObject({
      results: [
        {
          value: ["•••", 5, "•••!"],
          assigned: { Echo: "<•••>", Half: expect.stringMatching(/^"•••\.plain$/) },
        },
      ],
    })
  })

  test("is redirected to no other origin with them", async () => {
    other.answers(json({}))
    peer.answers((response) => response.writeHead(302, { location: `${other.url}/c` }).end())
    await run(
      `await fetch(url, { headers: { "X-Key": $key, "X-Login": toBase64("ann:" + $key) } })`,
    )
    expect(other.received.at(-1)?.path).toBe("/c")
    for (const name of ["x-key", "x-login"])
      expect(other.received.at(-1)?.headers).not.toHaveProperty(name)
  })
})

test("22.6 a mail has secrets in its subject and its body, and its failure has none", async () => {
  const mails: string[] = []
  let isRefusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString())
        done(isRefusing ? new Error("Spam: MARKER-plain") : null)
      })
    },
  })
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  const data = { host: "127.0.0.1", port, from: { email: "ann@example.com" } }
  const email = createEmail({
    credentials: wallet({ smtp: { type: "smtp", data } }),
    readFile,
    fetch: plainFetch,
    resolveHost: createResolveHost(["127.0.0.1"]),
  })
  const send = (text: string) =>
    email(
      {
        ...{ kind: "email", credential: { id: "smtp", type: "smtp" }, attachesOnlyUploads: true },
        ...{ to: ["bob@example.com"], subject: `Key ${plainMark}`, text },
      },
      context,
    )
  expect(await send(plainMark)).not.toHaveProperty("failed")
  expect(mails[0]?.match(/MARKER-plain/g)).toHaveLength(2)
  isRefusing = true
  const outcome = await send(`Again ${plainMark}`)
  expect(outcome).toMatchObject({ failed: true })
  expect(JSON.stringify(outcome)).not.toContain("MARKER")
  await new Promise<void>((resolve) => server.close(resolve))
})
