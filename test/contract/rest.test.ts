/** Holds the REST layer to its transport rules, over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { serveToy, type Toy } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

type Reply = { status: number; headers: Headers; body: Record<string, unknown> }

async function send(method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(toy.address + path, { method, redirect: "manual", ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} }
}

function json(body: string, headers: Record<string, string> = {}): RequestInit {
  return { body, headers: { "content-type": "application/json", ...headers } }
}

const start = "/api/v1/bots/hello/startChat"

describe("routes", () => {
  test("a path parameter is percent-decoded exactly once", async () => {
    expect((await send("GET", "/api/v1/things/a%20b%2Fc%2525")).body).toMatchObject({
      thingId: "a b/c%25",
    })
  })

  test("a malformed percent escape is a 400", async () => {
    expect(await send("GET", "/api/v1/things/%E0%A4%A")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    })
  })

  test("an encoded NUL in the path is a 400", async () => {
    expect((await send("GET", "/api/v1/things/a%00")).status).toBe(400)
  })

  test("an unknown path is a 404 with the error document", async () => {
    expect(await send("GET", "/api/v1/nothing/here")).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND", message: "Unknown path or method" },
    })
  })

  test("an unknown method on a known path is a 404, also for HEAD", async () => {
    expect((await send("PUT", "/api/v1/things/a")).status).toBe(404)
    expect((await send("HEAD", start)).status).toBe(404)
  })

  test("an empty segment matches no parameter", async () => {
    expect((await send("GET", "/api/v1/things//publish")).status).toBe(404)
  })

  test("a fixed segment wins over a parameter, unless only the parameter has the method", async () => {
    expect(
      (await send("POST", "/api/v1/things/import", json('{"bot":{"groups":[]}}'))).body,
    ).toEqual({
      size: 21,
    })
    expect((await send("GET", "/api/v1/things/import")).body).toMatchObject({ thingId: "import" })
  })

  test("fixed segments match in any case, and a slash at the end does not count", async () => {
    expect((await send("GET", "/API/v1/Things/Aa/")).body).toMatchObject({ thingId: "Aa" })
  })

  test("HEAD answers like GET without the body", async () => {
    const get = await send("GET", "/api/v1/things/a")
    const head = await send("HEAD", "/api/v1/things/a")
    expect(head.status).toBe(200)
    expect(head.body).toEqual({})
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"))
  })
})

describe("query", () => {
  test("words become booleans by meaning, not by truthiness", async () => {
    for (const [word, value] of [
      ["true", true],
      ["1", true],
      ["false", false],
      ["0", false],
    ]) {
      expect((await send("GET", `/api/v1/things/a?isDeep=${word}`)).body).toMatchObject({
        isDeep: value,
      })
    }
    expect((await send("GET", "/api/v1/things/a")).body).toMatchObject({ isDeep: false })
  })

  test("any other word for a boolean is a 400 that names the parameter", async () => {
    for (const word of ["yes", "TRUE", ""]) {
      expect(await send("GET", `/api/v1/things/a?isDeep=${word}`)).toMatchObject({
        status: 400,
        body: { message: "Input validation failed", issues: [{ path: ["isDeep"] }] },
      })
    }
  })

  test("numbers and dates are read, and empty or half numbers are refused", async () => {
    expect((await send("GET", "/api/v1/things/a?limit=12&since=2025-01-02")).body).toMatchObject({
      limit: 12,
      since: "2025-01-02T00:00:00.000Z",
    })
    for (const text of ["", "12x", "1e3", "0x10", "Infinity", "501"]) {
      expect((await send("GET", `/api/v1/things/a?limit=${text}`)).status).toBe(400)
    }
  })

  test("a repeated key is a list where the schema has one, else a 400", async () => {
    expect((await send("GET", "/api/v1/things/a?tags=x&tags=y")).body).toMatchObject({
      tags: ["x", "y"],
    })
    expect((await send("GET", "/api/v1/things/a?tags=x")).body).toMatchObject({ tags: ["x"] })
    expect((await send("GET", "/api/v1/things/a?name=x&name=y")).status).toBe(400)
  })

  test("unknown keys are ignored and the path wins over a key of its name", async () => {
    const { body } = await send(
      "GET",
      "/api/v1/things/a?thingId=b&__proto__=c&other=d&name=e+f%20g",
    )
    expect(body).toEqual({ thingId: "a", isDeep: false, name: "e f g" })
  })

  test("DELETE reads its input from the query", async () => {
    expect((await send("DELETE", "/api/v1/things/a?force=1")).body).toEqual({
      thingId: "a",
      force: true,
    })
  })
})

describe("bodies", () => {
  test("an empty body counts as an empty object, with or without a content type", async () => {
    for (const init of [{}, { body: "" }, json(""), json("  \n")]) {
      expect((await send("POST", start, init)).status).toBe(200)
    }
    expect((await send("POST", "/api/v1/things/a/publish")).body).toEqual({ message: "success" })
  })

  test("JSON is accepted with a charset, a suffix and in any case", async () => {
    for (const type of [
      "application/json; charset=utf-8",
      'Application/JSON;charset="UTF-8"',
      "application/vnd.parley+json",
    ]) {
      const reply = await send("POST", start, {
        body: '{"message":"hi"}',
        headers: { "content-type": type },
      })
      expect(reply.body).toMatchObject({ message: "hi" })
    }
  })

  test("a body of another type, charset or coding is a 415", async () => {
    const wrong: Record<string, string>[] = [
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ]
    for (const headers of wrong) {
      expect(await send("POST", start, { body: "{}", headers })).toMatchObject({
        status: 415,
        body: { code: "UNSUPPORTED_MEDIA_TYPE" },
      })
    }
  })

  test("malformed JSON is a 400 PARSE_ERROR", async () => {
    expect(await send("POST", start, json('{"message":'))).toMatchObject({
      status: 400,
      body: { code: "PARSE_ERROR", message: "The body is not valid JSON" },
    })
  })

  test("a body that is no object is a 400", async () => {
    for (const text of ["[1]", '"abc"', "5", "null", "true"]) {
      expect(await send("POST", start, json(text))).toMatchObject({
        status: 400,
        body: { message: "The body must be a JSON object" },
      })
    }
  })

  test("an empty array is an empty object on chat routes only", async () => {
    expect((await send("POST", start, json("[]"))).status).toBe(200)
    expect((await send("POST", "/api/v1/things/a/publish", json("[]"))).status).toBe(400)
  })

  test("a leading byte order mark is skipped", async () => {
    expect((await send("POST", start, json('\ufeff{"message":"hi"}'))).body).toMatchObject({
      message: "hi",
    })
  })

  test("members of the body are never coerced, and the path wins over the body", async () => {
    const good = { authorization: "Bearer good" }
    expect(
      await send("POST", "/api/v1/things", json('{"name":"a","isOpen":"false"}', good)),
    ).toMatchObject({
      status: 400,
      body: { issues: [{ path: ["isOpen"], code: "invalid_type" }] },
    })
    expect((await send("POST", start, json('{"publicId":"other"}'))).body).toMatchObject({
      publicId: "hello",
    })
  })

  test("a chat flag may come as its word, read by meaning", async () => {
    for (const [sent, value] of [
      ['"true"', true],
      ['"false"', false],
      ["true", true],
    ]) {
      const { body } = await send("POST", start, json(`{"isOnlyRegistering":${sent}}`))
      expect(body).toMatchObject({ isOnlyRegistering: value })
    }
    expect((await send("POST", start, json('{"isOnlyRegistering":"yes"}'))).status).toBe(400)
    expect((await send("POST", start, json('{"isOnlyRegistering":1}'))).status).toBe(400)
  })

  test("64 levels of JSON pass, one more is a 400", async () => {
    const nested = (levels: number) =>
      `{"prefilledVariables":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`
    expect((await send("POST", start, json(nested(62)))).status).toBe(200)
    expect(await send("POST", start, json(nested(63)))).toMatchObject({
      status: 400,
      body: { message: "JSON may be nested at most 64 levels deep" },
    })
    expect((await send("POST", start, json(nested(100_000)))).status).toBe(400)
  })

  test("prototype keys vanish and pollute nothing", async () => {
    const body =
      '{"__proto__":{"x":1},"prefilledVariables":{"__proto__":{"x":1},"\\u005f_proto__":2,"constructor":"c"}}'
    const reply = await send("POST", start, json(body))
    expect(reply.body.prefilledVariables).toEqual({ constructor: "c" })
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test("texts lose NUL and lone surrogates, which no database can hold", async () => {
    const { body } = await send(
      "POST",
      start,
      json('{"message":"a\\u0000b\\ud800c\\ud83d\\ude00"}'),
    )
    expect(body).toMatchObject({ message: "ab\ufffdc\u{1f600}" })
  })
})

describe("errors", () => {
  test("a refusal is one document of RFC 9457 with message and code, named by the request id", async () => {
    const { status, headers, body } = await send("GET", "/api/v1/failures/conflict", {
      headers: { "x-request-id": "trace-1" },
    })
    expect(status).toBe(409)
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
    expect(headers.get("x-request-id")).toBe("trace-1")
    expect(body).toEqual({
      type: "/problems/conflict",
      title: "Conflict",
      status: 409,
      detail: "Changed by somebody else",
      instance: "trace-1",
      message: "Changed by somebody else",
      code: "CONFLICT",
    })
    expect((await send("GET", String(body.type))).body).toMatchObject({ code: "CONFLICT" })
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

  test("the body is judged before the token", async () => {
    expect((await send("POST", "/api/v1/things", json("{"))).status).toBe(400)
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
        message: "Invalid input: expected string, received number",
        path: ["bot", "groups", 0, "blocks", 0, "content", "text"],
        code: "invalid_type",
        place: 'Group "Contact" › block 1 "text"',
      },
    ])
  })

  test("of a union only the branch that was meant is told", async () => {
    const issuesOf = async (message: unknown) =>
      (await send("POST", start, json(JSON.stringify({ message })))).body.issues
    expect(await issuesOf({ type: "text", text: 5 })).toMatchObject([
      { message: "Invalid input: expected string, received number", path: ["message", "text"] },
    ])
    expect(await issuesOf({ type: "command", text: "x" })).toMatchObject([
      { path: ["message", "command"] },
    ])
    expect(await issuesOf(5)).toMatchObject([
      { message: "Invalid input: expected string or object", path: ["message"] },
    ])
    expect(await issuesOf({ type: "picture" })).toMatchObject([
      { message: 'Invalid input: expected "text" or "command"', path: ["message", "type"] },
    ])
  })

  test("at most 50 issues are told", async () => {
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
  test("success is 200 JSON that nobody stores or sniffs", async () => {
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
