/** Requests with a credential of the type `http`: what signs them, where to, and what stays of it. */
import { afterAll, describe, expect, test } from "vitest"
import { createHttp } from "../../src/effects/network/http.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { type Answer, callContext, json, type Received, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const [peer, other, tokens] = [await startPeer(), await startPeer(), await startPeer()]
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())
const hostOf = ({ url }: { url: string }) => new URL(url).host

const secret = "MARKER-secret-0123456789"
const client = { type: "oauth2ClientCredentials", clientId: "me", clientSecret: secret }
const auths = {
  bearer: { type: "bearer", token: secret },
  basic: { type: "basic", username: "ann", password: secret },
  header: { type: "header", name: "X-Api-Key", value: secret },
  query: { type: "query", name: "api key", value: `${secret}&/` },
  client: { ...client, tokenUrl: `${tokens.url}/token`, scope: "read" },
}

type AuthName = keyof typeof auths

/** A performer that knows no token yet. */
function newHttp(...allowedHosts: string[]) {
  const credentials = Object.fromEntries(
    Object.entries(auths).map(([name, auth]) => [
      name,
      { type: "http", data: { auth }, allowedHosts: [hostOf(peer), ...allowedHosts] },
    ]),
  )
  const http = createHttp({
    outbound,
    credentials: wallet(credentials),
    readFile: async () => ({ failed: true, description: "None" }),
    files: { save: async () => "" },
    allowsRestricted: true,
  })
  return async (name: AuthName, request: object = {}, context = {}) => {
    const whole = { method: "GET", url: `${peer.url}/a?x=%20y`, ...request }
    const credential = { id: name, type: "http" }
    const call = { kind: "http" as const, request: whole, timeoutMs: 5_000, credential }
    return await http(call, callContext(context))
  }
}

const login = Buffer.from(`ann:${secret}`).toString("base64")
const headersAt = ({ received }: { received: Received[] }) => received.map(({ headers }) => headers)

describe("22.4 a request with a credential", () => {
  test.each([
    ["bearer", { authorization: `Bearer ${secret}` }],
    ["basic", { authorization: `Basic ${login}` }],
    ["header", { "x-api-key": secret }],
  ] as const)("is signed by %s, also when the flow sets the same place", async (name, expected) => {
    peer.answers(json({}))
    const headers = [
      ["Authorization", "Bearer of-the-flow"],
      ["X-API-KEY", "of the flow"],
    ]
    await newHttp()(name, { headers })
    expect(headersAt(peer)[0]).toMatchObject(expected)
    expect(peer.received[0]?.path).toBe("/a?x=%20y")
  })

  test("is signed by a parameter of the query, in place of one of that name", async () => {
    peer.answers(json({}))
    await newHttp()("query", { url: `${peer.url}/a?api%20key=mine&x=%20y#part` })
    expect(peer.received[0]?.path).toBe(`/a?x=%20y&api%20key=${secret}%26%2F`)
  })

  test("is not made to a host that the credential does not name; another port is another host", async () => {
    for (const name of Object.keys(auths) as AuthName[]) {
      for (const url of [other.url, `http://localhost:${new URL(peer.url).port}`]) {
        other.answers(json({}))
        tokens.answers(json({ access_token: "t" }))
        const outcome = await newHttp()(name, { url })
        expect(outcome).toMatchObject({ failed: true, reason: "credentials", isInternal: true })
        expect(JSON.stringify(outcome)).not.toContain("MARKER")
        expect([...other.received, ...tokens.received]).toEqual([])
      }
    }
  })

  test("is not signed in an anonymous preview, which has no credentials", async () => {
    peer.answers(json({}))
    const credentials = { find: async () => ({ failed: true as const, description: "None" }) }
    const rest = { readFile: async () => ({ failed: true as const, description: "" }) }
    const files = { save: async () => "" }
    const http = createHttp({ outbound, credentials, files, ...rest, allowsRestricted: true })
    const request = { method: "GET", url: peer.url }
    const call = { kind: "http" as const, request, timeoutMs: 1_000 }
    await http({ ...call, credential: { id: "bearer", type: "http" } }, callContext())
    expect(peer.received).toEqual([])
  })

  const leads = (url: string): Answer => {
    return (response) => response.writeHead(302, { location: url }).end()
  }

  test.each([
    "bearer",
    "header",
    "query",
  ] as const)("carries %s after a redirect only to hosts that the credential names", async (name) => {
    for (const [hosts, isCarried] of [
      [[], false],
      [[hostOf(other)], true],
    ] as const) {
      peer.answers(leads(`${other.url}/b`))
      other.answers(leads(`${peer.url}/c`), json({}))
      await newHttp(...hosts)(name).catch(() => undefined)
      const [first] = other.received
      const sent = JSON.stringify([first?.headers, first?.path])
      expect(sent.includes(secret), String(hosts)).toBe(isCarried)
    }
  })

  test("keeps the secret after a redirect on the same host", async () => {
    peer.answers(leads("/b?y=1"), json({}))
    await newHttp()("query")
    expect(peer.received[1]?.path).toBe(`/b?y=1&api%20key=${secret}%26%2F`)
  })

  test("gets answers in which the secret is redacted, in every form that it was sent in", async () => {
    for (const name of Object.keys(auths) as AuthName[]) {
      const again = name === "query" ? auths.query.value : secret
      peer.answers((response, { headers, path }) => {
        response.end(JSON.stringify({ headers, path, again }))
      })
      tokens.answers(json({ access_token: "MARKER-token-0123456789" }))
      const outcome = await newHttp()(name)
      expect(outcome).toMatchObject({ status: 200 })
      const text = JSON.stringify(outcome)
      expect(text).toContain("***")
      expect(text).not.toContain(secret)
      expect(text).not.toContain("MARKER-token")
      if (name === "basic") expect(text).not.toContain(login)
    }
  })
})

describe("22.5 the token of a client", () => {
  const gives = (token: string, more: object = {}) => json({ access_token: token, ...more })

  test("is fetched once for all requests, with the scope, and sent as a bearer", async () => {
    peer.answers(json({}))
    tokens.answers(gives("first", { expires_in: 3600 }))
    const send = newHttp()
    await Promise.all([send("client"), send("client"), send("client")])
    await send("client")
    expect(tokens.received.map(({ path, text }) => [path, text])).toEqual([
      ["/token", "grant_type=client_credentials&scope=read"],
    ])
    const basic = Buffer.from(`me:${secret}`).toString("base64")
    expect(headersAt(tokens)[0]).toMatchObject({ authorization: `Basic ${basic}` })
    const sent = headersAt(peer).map(({ authorization }) => authorization)
    expect(sent).toEqual(Array(4).fill("Bearer first"))
  })

  test("is fetched again once after a 401, and only then", async () => {
    const send = newHttp()
    peer.answers(json({}, 401), json({ ok: true }))
    tokens.answers(gives("first"), gives("second"))
    expect(await send("client", { method: "POST", body: { text: "a" } })).toMatchObject({
      status: 200,
    })
    expect(headersAt(peer).map(({ authorization }) => authorization)).toEqual([
      "Bearer first",
      "Bearer second",
    ])
    expect(peer.received.map(({ text }) => text)).toEqual(["a", "a"])
    peer.answers(json({}, 401))
    expect(await send("client")).toMatchObject({ status: 401 })
    expect(peer.received).toHaveLength(2)
    peer.answers(json({}, 403))
    await send("client")
    expect(peer.received).toHaveLength(1)
  })

  test("is fetched with the client in the body where the header is not understood", async () => {
    peer.answers(json({}))
    tokens.answers(json({ error: "invalid_client" }, 400), gives("first"))
    expect(await newHttp()("client")).toMatchObject({ status: 200 })
    const [, second] = tokens.received
    expect(second?.headers.authorization).toBeUndefined()
    expect(second?.text).toContain(`client_id=me&client_secret=${secret}`)
  })

  test("expires as its server says", async () => {
    const send = newHttp()
    peer.answers(json({}))
    tokens.answers(gives("first", { expires_in: 0.002 }), gives("second"))
    await send("client")
    const end = performance.now() + 5
    while (performance.now() < end);
    await send("client")
    expect(headersAt(peer)[1]).toMatchObject({ authorization: "Bearer second" })
  })

  const hugeAnswer: Answer = (response) => response.end("x".repeat(200_000))
  const elsewhere: Answer = (response) => response.writeHead(307, { location: other.url }).end()

  test.each([
    ["a refusal that repeats the secret", json({ error: "invalid_scope", message: secret }, 400)],
    ["no token", json({ access_token: 7 })],
    ["a token that no header can hold", gives("a\nb")],
    ["a huge answer", hugeAnswer],
    ["a redirect, which is not followed", elsewhere],
  ])("is an outcome without it where its server gives %s", async (_, answer) => {
    peer.answers(json({}))
    other.answers(json({}))
    tokens.answers(answer)
    const outcome = await newHttp()("client")
    expect(outcome).toMatchObject({
      description: "The token of the credential could not be fetched",
      ...{ reason: "credentials", isInternal: true },
    })
    expect(JSON.stringify(outcome)).not.toContain("MARKER")
    expect([...peer.received, ...other.received]).toEqual([])
  })
})
