/** Tests how the network guard handles redirects, headers, sizes and times. */
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { type OutboundInit, openOutbound } from "../../src/effects/network/outbound.ts"
import { whileCollecting } from "../support/heap.ts"
import { openHouse } from "./houses.ts"
import { openTown } from "./town.ts"

const { front, outbound, redirectTo, attempt } = await openTown()

describe("redirects", () => {
  const first = `http://front.test:${front.port}`
  const second = `http://other.test:${front.port}`
  const seen = async (url: string, init: OutboundInit) =>
    JSON.parse(await (await outbound.fetch(url, init)).text())
  const sent: OutboundInit = {
    method: "POST",
    body: "hello",
    headers: { authorization: "Bearer x", cookie: "a=b", "x-key": "k", "x-other": "o" },
    privateHeaders: ["X-Key"],
  }

  it("leave secrets behind when they lead to another origin", async () => {
    const { headers } = await seen(redirectTo(`${second}/`), sent)
    expect(headers).toMatchObject({ "x-other": "o" })
    expect(headers).not.toHaveProperty("authorization")
    expect(headers).not.toHaveProperty("cookie")
    expect(headers).not.toHaveProperty("x-key")
  })

  it("keep them on the same origin", async () => {
    const { headers } = await seen(redirectTo(`${first}/`), sent)
    expect(headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b", "x-key": "k" })
  })

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", "hello"],
    [307, "POST", "POST", "hello"],
    [308, "PATCH", "PATCH", "hello"],
  ])("with status %i turn %s into %s", async (status, method, next, body) => {
    const got = await seen(redirectTo(`${first}/`, status), { ...sent, method })
    expect(got).toMatchObject({ method: next, body })
    expect("content-type" in got.headers).toBe(body !== "")
  })

  it("are followed ten times, relative ones too, and no more", async () => {
    const chain = (length: number) => {
      let url = "/end"
      for (let i = 0; i < length; i++) url = `/?to=${encodeURIComponent(url)}`
      return `${first}${url}`
    }
    expect(await seen(chain(10), {})).toMatchObject({ url: "/end" })
    expect(await attempt(chain(11))).toBe("BlockedError")
    expect(await attempt(redirectTo("http://["))).toBe("BlockedError")
  })

  it("with a secret in the body do not lead to another origin", async () => {
    const init = { ...sent, staysOnOrigin: true }
    expect(await attempt(redirectTo(`${second}/`, 307), init)).toBe("BlockedError")
    expect(await attempt(redirectTo(`${first}/`, 307), init)).toMatch(/^200/)
  })
})

describe("requests", () => {
  it.each([
    "Metadata",
    "Metadata-Flavor",
    "X-Google-Metadata-Request",
    "X-aws-ec2-metadata-token",
    "X-aws-ec2-metadata-token-ttl-seconds",
  ])("with the header %s are blocked", async (name) => {
    const url = `http://front.test:${front.port}/`
    expect(await attempt(url, { headers: { [name]: "true" } })).toBe("BlockedError")
  })

  it("cannot say what belongs to the connection", async () => {
    const headers = { host: "inside", connection: "close, x-a", "transfer-encoding": "chunked" }
    const url = `http://front.test:${front.port}/`
    const got = JSON.parse(await (await outbound.fetch(url, { headers })).text())
    expect(got.headers).toMatchObject({ host: `front.test:${front.port}` })
    expect(got.headers.connection).not.toContain("x-a")
    expect(got.headers).not.toHaveProperty("transfer-encoding")
  })

  it("cannot be split", async () => {
    const headers = { "x-a": "a\r\nHost: inside" }
    expect(await attempt(`http://front.test:${front.port}/`, { headers })).toBe("TypeError")
    expect(await attempt(`http://front.test:${front.port}/ HTTP/1.1\r\nx: y`)).toMatch(/^200/)
    expect(front.requests.map(({ headers }) => headers.x)).toEqual([undefined])
  })

  it("do not reach the ports of other protocols", async () => {
    const listed = openOutbound({ allowHosts: ["127.0.0.1"] })
    for (const badPort of [22, 25, 6667]) {
      await expect(listed.fetch(`http://127.0.0.1:${badPort}/`)).rejects.toThrow()
    }
    await listed.close()
  })
})

describe("responses", () => {
  const house = openHouse((request, response) => {
    if (request.url === "/bomb") {
      response.writeHead(200, { "content-encoding": "gzip" })
      response.end(gzipSync(Buffer.alloc(30_000_000)))
    } else if (request.url === "/twice") {
      response.writeHead(200, { "content-encoding": "gzip, gzip" })
      response.end(gzipSync(gzipSync(Buffer.alloc(30_000_000))))
    } else if (request.url === "/endless") {
      const more = () => void (response.write("x".repeat(50_000)) ? setImmediate(more) : 0)
      response.on("drain", more)
      more()
    } else if (request.url === "/drip") {
      response.writeHead(200).flushHeaders()
      const timer = setInterval(() => response.write("x"), 20)
      response.on("close", () => clearInterval(timer))
    } else if (request.url === "/headers") {
      response.writeHead(200, { "x-a": "x".repeat(40_000) }).end()
    } else if (request.url === "/exact") response.end("x".repeat(1_000))
  })
  const get = async (path: string, init: OutboundInit = {}) => {
    const { port: there } = await house
    const listed = openOutbound({ allowHosts: ["127.0.0.1"], maxBytes: 1_000_000 })
    try {
      const response = await listed.fetch(`http://127.0.0.1:${there}${path}`, init)
      return (await response.text()).length
    } catch (error) {
      return error instanceof Error ? error.name : "?"
    } finally {
      await listed.close()
    }
  }

  it.each([
    "/bomb",
    "/twice",
    "/endless",
  ])("are cut off when they are too large: %s", async (path) => {
    expect(await get(path)).toBe("TooLargeError")
  })

  it("may be as large as the limit", async () => {
    expect(await get("/exact", { maxBytes: 1_000 })).toBe(1_000)
    expect(await get("/exact", { maxBytes: 999 })).toBe("TooLargeError")
  })

  it.each(["/silent", "/drip"])("are given up when they take too long: %s", async (path) => {
    expect(await get(path, { timeoutMs: 200 })).toBe("TimeoutError")
    const signal = AbortSignal.timeout(200)
    expect(await get(path, { signal })).toBe("TimeoutError")
  })

  it("are given up in time even when nothing but the request holds the limit", async () => {
    expect(await whileCollecting(get("/drip", { timeoutMs: 1_000 }))).toBe("TimeoutError")
  })

  it("with headers beyond measure are refused", async () => {
    expect(await get("/headers")).toBe("TypeError")
  })
})
