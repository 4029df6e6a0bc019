/** Holds tRPC, health and documentation to what they promise, over real HTTP. */
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client"
import superjson from "superjson"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { serveToy, type Toy, type toyRouter } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

function client(authorization?: string) {
  return createTRPCClient<typeof toyRouter>({
    links: [
      httpBatchLink({
        url: `${toy.address}/api/trpc`,
        transformer: superjson,
        headers: authorization === undefined ? {} : { authorization },
      }),
    ],
  })
}

async function refusalOf(call: Promise<unknown>): Promise<TRPCClientError<typeof toyRouter>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof TRPCClientError) return error
  throw new Error("The call was not refused")
}

describe("tRPC", () => {
  test("calls are batched and keep dates", async () => {
    const since = new Date("2025-01-02")
    const [one, two] = await Promise.all([
      client().things.get.query({ thingId: "a", since }),
      client("Bearer good").things.create.mutate({ name: "b" }),
    ])
    expect(one).toEqual({ thingId: "a", since, isDeep: false })
    expect(two).toEqual({ name: "b", owner: "ann@example.com" })
  })

  test("a call after a REST call judges booleans as before", async () => {
    await fetch(`${toy.address}/api/v1/things/a?isDeep=false`)
    const error = await refusalOf(
      client().things.get.query({ thingId: "a", isDeep: "false" as never }),
    )
    expect(error.data).toMatchObject({ code: "BAD_REQUEST", httpStatus: 400 })
  })

  test("a refusal has code, message and issues, and never a stack", async () => {
    const refused = await refusalOf(
      client("Bearer good").things.create.mutate({ name: 5 as never }),
    )
    expect(refused.message).toBe("`name` must be a string, not a number")
    expect(refused.data?.issues).toMatchObject([{ path: ["name"] }])
    const bug = await refusalOf(client().failures.bug.query())
    expect(bug.message).toBe("Internal server error")
    expect(Object.keys(bug.data ?? {}).sort()).toEqual([
      "code",
      "httpStatus",
      "reason",
      "requestId",
    ])
    const open = await refusalOf(client().things.create.mutate({ name: "b" }))
    expect(open.data).toMatchObject({ code: "UNAUTHORIZED", httpStatus: 401 })
  })

  test("answers carry the request id and are not stored, and busy ones tell when to come back", async () => {
    const response = await fetch(`${toy.address}/api/trpc/failures.busy`, {
      headers: { "x-request-id": "rpc-1" },
    })
    expect(response.status).toBe(429)
    expect(response.headers.get("retry-after")).toBe("3")
    expect(response.headers.get("x-request-id")).toBe("rpc-1")
    expect(response.headers.get("cache-control")).toBe("no-store")
  })

  test("bodies over the limit, too deep JSON and oversized batches are refused", async () => {
    const send = (path: string, body: string) =>
      fetch(`${toy.address}/api/trpc/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer good" },
        body,
      })
    expect(
      (await send("things.create", `{"json":{"name":"${"x".repeat(4_194_304)}"}}`)).status,
    ).toBe(413)
    const deep = `{"json":{"name":${"[".repeat(100)}${"]".repeat(100)}}}`
    expect((await send("things.create", deep)).status).toBe(400)
    const paths = Array.from({ length: 21 }, () => "things.create").join(",")
    expect((await send(`${paths}?batch=1`, "{}")).status).toBe(400)
    expect((await send("things.create", "{")).status).toBe(400)
  })

  test("pages of other origins are answered without leave to read", async () => {
    const ask = (origin: string) =>
      fetch(`${toy.address}/api/trpc/things.create`, { method: "OPTIONS", headers: { origin } })
    const foreign = await ask("https://anywhere.example.com")
    expect(foreign.status).toBe(204)
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull()
    const own = await ask("https://builder.example.com")
    expect(own.headers.get("access-control-allow-origin")).toBe("https://builder.example.com")
  })
})

describe("pages", () => {
  test("health answers at both paths", async () => {
    for (const path of ["/healthz", "/api/healthz"]) {
      expect(await (await fetch(toy.address + path)).json()).toEqual({ status: "ok" })
    }
  })

  test("the OpenAPI document is open to pages of every origin", async () => {
    for (const path of ["/openapi.json", "/api/openapi.json"]) {
      const response = await fetch(toy.address + path)
      expect(response.headers.get("access-control-allow-origin")).toBe("*")
      expect(await response.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/" }] })
    }
  })

  test("the reference loads everything from this host under a strict policy", async () => {
    const response = await fetch(`${toy.address}/docs/reference`)
    const html = await response.text()
    const policy = response.headers.get("content-security-policy")
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toMatch(/; connect-src 'self'; /)
    expect(html).not.toMatch(/https?:|<script>|onload=/)
    expect((await fetch(`${toy.address}/docs/start.js`)).headers.get("content-type")).toContain(
      "text/javascript",
    )
    expect((await fetch(`${toy.address}/docs/reference.js`)).status).toBe(404)
  })

  test("the root links pages for people, and the reference for programs", async () => {
    const browser = await fetch(toy.address, { headers: { accept: "text/html" } })
    expect(browser.headers.get("content-security-policy")).toContain("default-src 'none'")
    const html = await browser.text()
    expect(html).toContain('href="/chat/demo"')
    expect(html).toContain('href="/docs"')
    expect(await (await fetch(toy.address)).json()).toMatchObject({
      name: "parley",
      docs: "http://toy.test/docs",
    })
  })

  test("a page takes no other method than GET and HEAD", async () => {
    expect((await fetch(`${toy.address}/healthz`, { method: "POST" })).status).toBe(404)
  })
})

test("the first page has a title and a description", async () => {
  const answer = await fetch(`${toy.address}/`, { headers: { accept: "text/html" } })
  const html = await answer.text()
  expect(html).toContain("<title>Parley</title>")
  expect(html).toMatch(
    /<meta name="description" content="This server stores conversational bots, [^"]+">/,
  )
})
