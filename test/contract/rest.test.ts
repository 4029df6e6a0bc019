/** Holds REST requests to their rules over real HTTP: routes, queries, bodies. */
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
      body: { code: "NOT_FOUND", message: "Unknown path: /docs lists all paths" },
    })
  })

  test("an unknown method on a known path is a 405 that lists the methods, also for HEAD", async () => {
    const put = await send("PUT", "/api/v1/things/a")
    expect(put.status).toBe(405)
    expect(put.headers.get("allow")).toContain("GET")
    expect((await send("HEAD", start)).status).toBe(405)
  })

  test("a path that is nearly one gets it as a suggestion", async () => {
    expect((await send("GET", "/api/v1/thing/a")).body.message).toBe(
      "Unknown path: did you mean GET /api/v1/things/{thingId}?",
    )
    expect((await send("GET", `/api/v1/${"thing".repeat(100)}`)).status).toBe(404)
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
      ["True", true],
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
    for (const word of ["yes", "truth", ""]) {
      expect(await send("GET", `/api/v1/things/a?isDeep=${word}`)).toMatchObject({
        status: 400,
        body: {
          message: "`isDeep` must be true or false (query)",
          issues: [{ path: ["isDeep"] }],
        },
      })
    }
  })

  test("numbers are read, and empty or half numbers are refused", async () => {
    expect((await send("GET", "/api/v1/things/a?limit=12")).body).toMatchObject({ limit: 12 })
    for (const text of ["", "12x", "1e3", "0x10", "Infinity", "501"]) {
      expect((await send("GET", `/api/v1/things/a?limit=${text}`)).status).toBe(400)
    }
  })

  test("a repeated key is a 400", async () => {
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
    for (const text of ["[]", "[1]", '"abc"', "5", "null", "true"]) {
      expect(await send("POST", start, json(text))).toMatchObject({
        status: 400,
        body: { message: "The body must be a JSON object" },
      })
    }
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
