/** What is served at a domain of a bot: its page and its chats, and nothing else. */
import { beforeAll, describe, expect, test } from "vitest"
import {
  beside,
  domain,
  other,
  own,
  prove,
  server,
  setDomain,
  theirs,
  visit,
  write,
} from "./domainScene.ts"

describe("once it is proven, a domain", () => {
  beforeAll(async () => {
    await setDomain(domain)
    expect(await prove()).toBe(true)
  })

  test("has the page of the bot, its parts and a whole chat", async () => {
    const page = await visit("/")
    expect(page.status).toBe(200)
    expect(page.text).toContain(`bot="${own.publicId}"`)
    expect(page.cookies).toBeUndefined()
    const [, script = ""] = /<script src="([^"]+)"/.exec(page.text) ?? []
    for (const path of [
      script,
      "/embed.js",
      "/embed/icon.svg",
      "/embed/texts/de.json",
      "/embed/code",
    ]) {
      expect((await visit(path)).status, path).toBe(200)
    }
    expect((await visit(`/chat/${own.publicId}/icon`)).status).toBe(204)
    expect((await visit(`/chat/${theirs.publicId}/icon`)).status).toBe(404)
    const origin = { origin: `https://${domain}` }
    const path = `/api/v1/bots/${own.publicId}/startChat`
    const started = await visit(path, { method: "POST", body: {}, headers: origin })
    expect(started.status, started.text).toBe(200)
    const { sessionId } = JSON.parse(started.text)
    const next = `/api/v1/sessions/${sessionId}/continueChat`
    const answered = await visit(next, {
      method: "POST",
      body: { message: "Ann" },
      headers: origin,
    })
    expect(answered.status).toBe(200)
    const rpc = await visit("/api/trpc/chat.start", {
      method: "POST",
      body: { json: { publicId: own.publicId } },
    })
    expect(rpc.status).toBe(200)
  })

  test("counts as a page of the service where the author lists the pages around the bot", async () => {
    const settings = { security: { allowedOrigins: ["https://elsewhere.example"] } }
    await server.send("PATCH", `/api/v1/bots/${own.botId}`, { body: { bot: { settings } } })
    await server.send("POST", `/api/v1/bots/${own.botId}/publish`)
    const path = `/api/v1/bots/${own.publicId}/startChat`
    const from = async (origin: string) =>
      (await visit(path, { method: "POST", body: {}, headers: { origin } })).status
    expect(await from(`https://${domain}`)).toBe(200)
    expect(await from("https://evil.example")).toBe(403)
  })

  test("has the chats of its bot, and none of another", async () => {
    for (const { publicId } of [other, theirs]) {
      const path = `/api/v1/bots/${publicId}/startChat`
      const refused = await visit(path, { method: "POST", body: {} })
      expect([refused.status, refused.text]).toEqual([
        404,
        expect.stringContaining("No published bot"),
      ])
      const rpc = await visit("/api/trpc/chat.start", {
        method: "POST",
        body: { json: { publicId } },
      })
      expect(rpc.status).toBe(404)
      const { body } = await server.send("POST", path, { token: null, body: {} })
      const session = `/api/v1/sessions/${body.sessionId}`
      for (const [call, sent] of [
        ["continueChat", { message: "a" }],
        ["clientLogs", { clientLogs: [{ description: "a" }] }],
        ["streamMessage", {}],
      ] as const) {
        const { status, text } = await visit(`${session}/${call}`, { method: "POST", body: sent })
        expect([call, status, text]).toEqual([
          call,
          404,
          expect.stringContaining("Session not found"),
        ])
      }
      expect((await visit(`${session}/events`)).status).toBe(404)
      const upload = { sessionId: body.sessionId, blockId: "name", fileName: "a.txt" }
      const uploaded = await visit("/api/v1/generate-upload-url", { method: "POST", body: upload })
      expect(uploaded.status).toBe(404)
    }
  })

  test("has no previews, also for those who may preview the bot", async () => {
    const path = `/api/v1/bots/${own.botId}/preview/startChat`
    expect((await visit(path, { method: "POST", body: {} })).status).toBe(404)
    const { body } = await server.send("POST", path, { body: {} })
    const next = `/api/v1/sessions/${body.sessionId}/continueChat`
    expect((await visit(next, { method: "POST", body: { message: "a" } })).status).toBe(404)
  })

  test("has nothing else: no sign-in, no docs, no management, no metrics, no cookies", async () => {
    const paths = [
      ...[
        "/signIn",
        "/signIn/link",
        "/docs",
        "/openapi.json",
        "/metrics",
        "/mcp",
        "/healthz",
        "/readyz",
      ],
      ...[
        `/chat/${own.publicId}`,
        "/files/public/a",
        "/tls/allowed",
        "/help",
        "//",
        "/api/v1/users/me",
      ],
      ...[
        "/api/v1/operator/users",
        `/api/v1/bots/${own.botId}`,
        "/api/trpc/user.getMe",
        "/api/v1/workspaces",
      ],
    ]
    for (const path of paths) {
      const { status, text, cookies } = await visit(path)
      expect([path, status, cookies], text).toEqual([path, 404, undefined])
    }
    expect((await visit("/signOut", { method: "POST", body: {} })).status).toBe(404)
  })

  test("is known in any spelling, with a port, and in the absolute form of a request", async () => {
    for (const host of ["Chat.Shop.EXAMPLE", `${domain}.`, `${domain}:8443`, `${domain}.:80`]) {
      const { status, text } = await visit("/", { host })
      expect([host, status]).toEqual([host, 200])
      expect(text).toContain(own.publicId)
    }
    const absolute = await write([`GET http://${domain}/ HTTP/1.1`, "Host: bots.example.com"])
    expect(absolute).toContain(`bot="${own.publicId}"`)
    const service = await write(["GET http://bots.example.com/ HTTP/1.1", `Host: ${domain}`])
    expect(service).toContain('"name":"parley"')
  })

  test("is not what a forwarded host says, and not one of two", async () => {
    const forwarded = await visit("/", {
      host: "bots.example.com",
      headers: { "x-forwarded-host": domain },
    })
    expect(forwarded.text).not.toContain(own.publicId)
    for (const hosts of [
      [domain, "bots.example.com"],
      ["elsewhere.example", domain],
    ]) {
      const answer = await write(["GET / HTTP/1.1", ...hosts.map((host) => `Host: ${host}`)])
      expect(answer, hosts.join()).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  test("leaves the service and the address of the bot as they are", async () => {
    expect((await visit("/healthz", { host: "bots.example.com" })).status).toBe(200)
    expect((await visit("/healthz", { host: "parley.cluster.example" })).status).toBe(200)
    const { status, text } = await visit(`/chat/${own.publicId}`, { host: "bots.example.com" })
    expect([status, text]).toEqual([200, expect.stringContaining(own.publicId)])
  })

  test("gets a certificate, in all processes and in any spelling, and others do not", async () => {
    for (const at of [server, beside]) {
      const status = async (name: string) =>
        (await at.send("GET", `/tls/allowed?domain=${encodeURIComponent(name)}`, { token: null }))
          .status
      expect(await status(domain)).toBe(200)
      expect(await status(`${domain.toUpperCase()}.`)).toBe(200)
      for (const name of [
        "",
        "shop.example",
        "bots.example.com",
        `x.${domain}`,
        "a".repeat(300),
        "a b",
        "%00",
      ]) {
        expect(await status(name), name).toBe(404)
      }
    }
  })

  test("has no sockets", async () => {
    const path = `/parties/main/${own.publicId}/webhooks`
    const upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${domain}`, ...upgrade, key]
    const answer = await write(lines, "Upgrade")
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).toContain("No sockets here")
  })
})

describe("a path after a domain", () => {
  test("has a page of its own beside others of the workspace", async () => {
    await setDomain(`${domain}/help//`, other)
    expect(await prove(other)).toBe(true)
    for (const path of ["/help", "/help/"]) {
      expect((await visit(path)).text, path).toContain(`bot="${other.publicId}"`)
    }
    expect((await visit("/")).text).toContain(`bot="${own.publicId}"`)
    expect((await visit("/help/more")).status).toBe(404)
    const started = await visit(`/api/v1/bots/${other.publicId}/startChat`, {
      method: "POST",
      body: {},
    })
    expect(started.status).toBe(200)
    await setDomain(null, other)
  })
})
