/** Holds REST answers to their rules over real HTTP: errors, issues, cross-origin, headers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { json, type Reply, send as sendTo, serveToy, startPath as start, type Toy } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

function send(method: string, path: string, init?: RequestInit): Promise<Reply> {
  return sendTo(method, toy.address + path, init)
}

describe("errors", () => {
  test("a refusal is one document of RFC 9457 with message and code, named by the request id", async () => {
    const { status, headers, body } = await send("GET", "/api/v1/failures/conflict", {
      headers: { "x-request-id": "trace-1" },
    })
    expect(status).toBe(409)
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
    expect(headers.get("x-request-id")).toBe("trace-1")
    const words = "The bot has changed since you read it; read it again"
    expect(body).toEqual({
      type: "/problems/stale-draft",
      title: "Conflict",
      status: 409,
      detail: words,
      instance: "trace-1",
      message: words,
      code: "CONFLICT",
      reason: "STALE_DRAFT",
      data: { elements: [], by: null, at: "1970-01-01T00:00:00.000Z", revision: 2 },
    })
    expect((await send("GET", String(body.type))).body).toMatchObject({
      code: "CONFLICT",
      reason: "STALE_DRAFT",
    })
  })

  test("a request id that is no plain word is replaced", async () => {
    for (const sent of ["a b", "x".repeat(65), "<script>"]) {
      const { headers } = await send("GET", "/healthz", { headers: { "x-request-id": sent } })
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test("a bug is a 500 with fixed words, logged with the request id and without its data", async () => {
    const { status, body, headers } = await send("GET", "/api/v1/failures/bug")
    expect(status).toBe(500)
    expect(body.message).toBe("Internal server error")
    expect(JSON.stringify(body)).not.toContain("secret")
    const line = toy.lines.find((each) => each.requestId === headers.get("x-request-id"))
    expect(line).toMatchObject({ level: "error", operation: "failures.bug", status: 500 })
    expect(JSON.stringify(line)).not.toContain("secret row")
  })

  test("a missing or wrong token is a 401 that names the scheme, before the input is judged", async () => {
    for (const authorization of ["", "good", "Basic good", "Bearer bad", "Bearer a b"]) {
      const reply = await send("POST", "/api/v1/things", json("{}", { authorization }))
      expect(reply).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } })
      expect(reply.headers.get("www-authenticate")).toBe("Bearer")
    }
  })

  test("the scheme of a token may be written in any case", async () => {
    const reply = await send(
      "POST",
      "/api/v1/things",
      json('{"name":"a"}', { authorization: "bEARER  good" }),
    )
    expect(reply).toMatchObject({ status: 200, body: { owner: "ann@example.com" } })
  })

  test("the token is judged before the body is parsed", async () => {
    expect((await send("POST", "/api/v1/things", json("{"))).status).toBe(401)
    expect((await send("POST", "/api/v1/things", { body: "x" })).status).toBe(415)
  })

  test("nonsense in the Authorization header does not matter on public routes", async () => {
    expect((await send("POST", start, json("{}", { authorization: "nonsense" }))).status).toBe(200)
  })

  test("too many requests and an overloaded service tell when to come back", async () => {
    const busy = await send("GET", "/api/v1/failures/busy")
    expect(busy).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } })
    expect(busy.headers.get("retry-after")).toBe("3")
    const down = await send("GET", "/api/v1/failures/down")
    expect(down).toMatchObject({ status: 503, body: { message: "Overloaded" } })
    expect(down.headers.get("retry-after")).toBe("3")
  })

  test("a lost database is a 503, not a bug", async () => {
    const lost = await send("GET", "/api/v1/failures/lost")
    expect(lost).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } })
    expect(lost.headers.get("retry-after")).toBe("2")
  })

  test("failed authentication is limited per address", async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 32; attempt++) {
      const init = json("{}", { authorization: "Bearer bad" })
      statuses.push((await send("POST", "/api/v1/things", init)).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(
      (await send("POST", "/api/v1/things", json('{"name":"a"}', { authorization: "Bearer good" })))
        .status,
    ).toBe(200)
  })
})

describe("issues", () => {
  test("a wrong block is named by group, number and type", async () => {
    const bot = { groups: [{ title: "Contact", blocks: [{ type: "text", content: { text: 5 } }] }] }
    expect(
      (await send("POST", "/api/v1/things/import", json(JSON.stringify({ bot })))).body.issues,
    ).toEqual([
      {
        message: "must be a string, not a number",
        path: ["bot", "groups", 0, "blocks", 0, "content", "text"],
        pointer: "/bot/groups/0/blocks/0/content/text",
        code: "invalid_type",
        place: 'Group "Contact" › block 1 "text"',
      },
    ])
  })

  test("only the branch of a union that was meant is reported", async () => {
    const issuesOf = async (message: unknown) =>
      (await send("POST", start, json(JSON.stringify({ message })))).body.issues
    expect(await issuesOf({ type: "text", text: 5 })).toMatchObject([
      { message: "must be a string, not a number", path: ["message", "text"] },
    ])
    expect(await issuesOf({ type: "command", text: "x" })).toMatchObject([
      { path: ["message", "command"] },
    ])
    expect(await issuesOf(5)).toMatchObject([
      { message: "must be a string or an object", path: ["message"] },
    ])
    expect(await issuesOf({ type: "picture" })).toMatchObject([
      { message: 'must be one of "text", "command"', path: ["message", "type"] },
    ])
  })

  test("at most 50 issues are reported", async () => {
    const bot = { groups: Array.from({ length: 80 }, () => ({ blocks: [] })) }
    const { body } = await send("POST", "/api/v1/things/import", json(JSON.stringify({ bot })))
    expect(body.issues).toHaveLength(50)
  })
})

describe("cross-origin", () => {
  const origin = "https://anywhere.example.com"
  const asked = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, x-custom",
  }

  test("a preflight on a chat route is a 204 for any origin that echoes the requested headers", async () => {
    const { status, headers } = await send("OPTIONS", start, { headers: asked })
    expect(status).toBe(204)
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-allow-methods")).toBe("GET,HEAD,PUT,PATCH,POST,DELETE")
    expect(headers.get("access-control-allow-headers")).toBe("content-type, x-custom")
    expect(headers.get("access-control-max-age")).toBe("86400")
    expect(headers.get("access-control-allow-credentials")).toBeNull()
  })

  test("chat answers and chat errors are readable for any page", async () => {
    for (const init of [json("{}"), json("{"), json('{"message":5}')]) {
      expect((await send("POST", start, init)).headers.get("access-control-allow-origin")).toBe("*")
    }
    expect((await send("PUT", start)).headers.get("access-control-allow-origin")).toBe("*")
    for (const malformed of ["%zz", "a%00"]) {
      const path = start.replace("hello", malformed)
      const { status, headers } = await send("POST", path, json("{}"))
      expect([status, headers.get("access-control-allow-origin")]).toEqual([400, "*"])
      expect((await send("OPTIONS", path, { headers: asked })).status).toBe(204)
    }
    const empty = await send("POST", start.replace("hello", ""), json("{}"))
    expect([empty.status, empty.headers.get("access-control-allow-origin")]).toEqual([404, "*"])
  })

  test("management routes are readable only for configured origins", async () => {
    const foreign = await send("OPTIONS", "/api/v1/things", { headers: asked })
    expect(foreign.status).toBe(204)
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull()
    expect(foreign.headers.get("access-control-allow-headers")).toBeNull()
    const builder = { ...asked, origin: "https://builder.example.com" }
    const own = await send("OPTIONS", "/api/v1/things", { headers: builder })
    expect(own.headers.get("access-control-allow-origin")).toBe("https://builder.example.com")
    expect(own.headers.get("vary")).toContain("origin")
    const answer = await send("GET", "/api/v1/things/a", { headers: builder })
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://builder.example.com")
  })

  test("a preflight of an unknown path is a 404", async () => {
    expect((await send("OPTIONS", "/api/v1/nothing", { headers: asked })).status).toBe(404)
  })
})

describe("answers", () => {
  test("success is 200 JSON, neither stored nor sniffed", async () => {
    const { status, headers } = await send("POST", start, json("{}"))
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })

  test("procedures see origin and idempotency key and may add headers", async () => {
    const init = json("{}", { origin: "https://a.example.com", "idempotency-key": "k 1" })
    const { body, headers } = await send("POST", start, init)
    expect(body).toMatchObject({ origin: "https://a.example.com", key: "k 1", ip: "127.0.0.1" })
    expect(headers.get("idempotent-replayed")).toBe("true")
  })

  test("large management answers are compressed for those who accept it", async () => {
    const path = "/api/v1/wordy"
    const small = await send("GET", path, { headers: { "accept-encoding": "gzip" } })
    expect(small.headers.get("content-encoding")).toBe("gzip")
    expect(small.body.words).toHaveLength(5500)
    const plain = await send("GET", path, { headers: { "accept-encoding": "gzip;q=0, br" } })
    expect(plain.headers.get("content-encoding")).toBeNull()
    expect(plain.headers.get("vary")).toContain("accept-encoding")
  })
})
