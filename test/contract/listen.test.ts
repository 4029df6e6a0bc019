/** Holds the server to its limits: body sizes, slow clients, leaving clients, an orderly stop. */
import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { requestMsFor } from "../../src/http/connections/listen.ts"
import { testFolder } from "../support/testFolder.ts"
import { happenings, serveToy, type Toy, type ToyOptions } from "./toy.ts"

let toy: Toy

beforeAll(async () => {
  toy = await serveToy()
})
afterAll(() => toy.stop(100))

test.each([
  [10, 60],
  [25, 150],
  [1_000, 300],
])("an upload of %i MB may take %i seconds", (megabytes, seconds) => {
  expect(requestMsFor(megabytes)).toBe(seconds * 1_000)
})

const start = "/api/v1/bots/hello/startChat"
const mebibyte = 1024 * 1024

async function post(path: string, body: string | ReadableStream): Promise<Response> {
  const headers = { "content-type": "application/json" }
  const init = { method: "POST", body, headers, duplex: "half" }
  const response = await fetch(toy.address + path, init as RequestInit)
  return response
}

function bodyOf(bytes: number): string {
  return `{"a":"${"x".repeat(bytes - 8)}"}`
}

async function raw(
  address: Toy,
  text: string,
): Promise<{ socket: Socket; answer: () => Promise<string> }> {
  const socket = connect(address.port ?? 0, "127.0.0.1")
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString()
  })
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.write(text)
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  return { socket, answer: () => ended.then(() => received) }
}

async function withToy<T>(options: ToyOptions, use: (own: Toy) => Promise<T>): Promise<T> {
  const own = await serveToy(options)
  try {
    return await use(own)
  } finally {
    await own.stop(50)
  }
}

/** The address that a procedure sees of a caller who is forwarded by proxies. */
async function forwardedIp(own: Toy, forwarded: string): Promise<string> {
  const headers = { "x-forwarded-for": forwarded }
  const response = await fetch(own.address + start, { method: "POST", headers })
  return ((await response.json()) as { ip: string }).ip
}

describe("what cannot be read", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400, "BAD_REQUEST"],
    [
      "a header without end",
      `GET / HTTP/1.1\r\nx: ${"x".repeat(20_000)}\r\n\r\n`,
      400,
      "BAD_REQUEST",
    ],
    ["an endless address", `GET /${"x".repeat(20_000)} HTTP/1.1\r\n\r\n`, 400, "BAD_REQUEST"],
  ])("%s is refused with the error document", async (_, text, status, code) => {
    const { answer } = await raw(toy, text)
    const [head = "", body = ""] = (await answer()).split("\r\n\r\n")
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain("content-type: application/problem+json")
    expect(JSON.parse(body)).toMatchObject({ status, code, type: "/problems/bad-request" })
    expect(head).toContain(`x-request-id: ${JSON.parse(body).instance}`)
  })
})

describe("body limits", () => {
  test("a chat body may have 1 MiB, a preview and a management body 4 MiB", async () => {
    const allowed = [
      [start, mebibyte],
      ["/api/v1/bots/b/preview/startChat", 4 * mebibyte],
      ["/api/v1/things/a/publish", 4 * mebibyte],
    ] as const
    for (const [path, bytes] of allowed) {
      expect((await post(path, bodyOf(bytes))).status).toBe(200)
      const refused = await post(path, bodyOf(bytes + 1))
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" })
    }
  })

  test("a body of unannounced length is cut off while it is read, and the answer still arrives", async () => {
    const chunk = new TextEncoder().encode("x".repeat(65_536))
    let sent = 0
    const stream = new ReadableStream({
      pull(controller) {
        sent += 1
        if (sent > 40) controller.close()
        else controller.enqueue(chunk)
      },
    })
    expect((await post(start, stream)).status).toBe(413)
  })

  test("a client that asks first is not invited to send what would be refused", async () => {
    const head = `POST ${start} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`
    const refused = await raw(toy, `${head}Content-Length: 9000000\r\n\r\n`)
    const answer = await refused.answer()
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).not.toContain("100 Continue")
    const welcome = await raw(toy, `${head}Content-Length: 2\r\nConnection: close\r\n\r\n`)
    await once(welcome.socket, "data")
    welcome.socket.write("{}")
    expect(await welcome.answer()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
  })

  test("a chunked body without a JSON type is a 415, an empty one is none", async () => {
    const head = `POST ${start} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(await (await raw(toy, `${head}2\r\n{}\r\n0\r\n\r\n`)).answer()).toMatch(
      /^HTTP\/1.1 415 /,
    )
    expect(await (await raw(toy, `${head}0\r\n\r\n`)).answer()).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe("clients", () => {
  test("a client that sends its headers too slowly is cut off", async () => {
    await withToy({ limits: { headersMs: 100 } }, async (own) => {
      const slow = await raw(own, "GET /healthz HTTP/1.1\r\nHost:")
      expect(await slow.answer()).toMatch(/^HTTP\/1.1 408 /)
    })
  })

  test("a connection that never says anything is cut off", async () => {
    await withToy({ limits: { headersMs: 100 } }, async (own) => {
      const silent = await raw(own, "")
      expect(await silent.answer()).toMatch(/^(HTTP\/1.1 408 .*)?$/s)
    })
  })

  test("a client that sends its body too slowly is cut off", async () => {
    await withToy({ limits: { headersMs: 100, requestMs: 200 } }, async (own) => {
      const head = `POST ${start} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
      const slow = await raw(own, `${head}Content-Length: 50\r\n\r\n{`)
      expect(await slow.answer()).toMatch(/^(HTTP\/1.1 408 .*)?$/s)
    })
  })

  test("a client that leaves aborts the signal of its procedure", async () => {
    const begun = once(happenings, "slow")
    const aborted = once(happenings, "aborted")
    const controller = new AbortController()
    const answer = fetch(`${toy.address}/api/v1/slow`, { signal: controller.signal })
    answer.catch(() => {})
    await begun
    controller.abort()
    await aborted
    happenings.emit("finish")
  })

  test("the address comes from the last trusted proxy, and from the connection without one", async () => {
    const ipOf = (own: Toy) => forwardedIp(own, "6.6.6.6, 10.0.0.1, 10.0.0.2")
    expect(await ipOf(toy)).toBe("127.0.0.1")
    expect(await withToy({ trustedProxies: 1 }, ipOf)).toBe("10.0.0.2")
    expect(await withToy({ trustedProxies: 2 }, ipOf)).toBe("10.0.0.1")
    expect(await withToy({ trustedProxies: 9 }, ipOf)).toBe("6.6.6.6")
  })

  test.each([
    ["6.6.6.6:51234", "6.6.6.6"],
    ["[2001:db8::1]:51234", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
  ])("the address in %s is %s, with any port that a proxy adds", async (forwarded, ip) => {
    expect(await withToy({ trustedProxies: 1 }, (own) => forwardedIp(own, forwarded))).toBe(ip)
  })

  test("of requests sent without awaiting answers a connection gets a hundred answered", async () => {
    const { answer } = await raw(toy, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(150))
    const answers = (await answer()).match(/HTTP\/1\.1 200 OK/g)
    expect(answers).toHaveLength(100)
  })

  test("a request line in absolute form is understood", async () => {
    const head =
      "GET http://a.example.com/healthz?x=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    expect(await (await raw(toy, head)).answer()).toContain('{"status":"ok"}')
  })
})

describe("stop", () => {
  test("a running request is finished and its connection closed, new ones are refused", async () => {
    const own = await serveToy()
    const begun = once(happenings, "slow")
    const answer = fetch(`${own.address}/api/v1/slow`)
    await begun
    const stopped = own.stop(5_000)
    await expect(fetch(`${own.address}/healthz`)).rejects.toThrow()
    happenings.emit("finish")
    const response = await answer
    expect(response.headers.get("connection")).toBe("close")
    expect(await response.json()).toEqual({ done: true })
    await stopped
  })

  test("work whose client has left is finished before the stop", async () => {
    const own = await serveToy()
    const begun = once(happenings, "slow")
    const controller = new AbortController()
    fetch(`${own.address}/api/v1/slow`, { signal: controller.signal }).catch(() => {})
    await begun
    controller.abort()
    let isFinished = false
    happenings.once("finished", () => {
      isFinished = true
    })
    const stopped = own.stop(5_000)
    await expect(fetch(`${own.address}/healthz`)).rejects.toThrow()
    happenings.emit("finish")
    await stopped
    expect(isFinished).toBe(true)
  })

  test("the deadline cuts off what does not end", async () => {
    const own = await serveToy()
    const begun = once(happenings, "slow")
    const answer = fetch(`${own.address}/api/v1/slow`)
    answer.catch(() => {})
    await begun
    let isFinished = false
    happenings.once("finished", () => {
      isFinished = true
    })
    await own.stop(100)
    expect(isFinished).toBe(false)
    await expect(answer).rejects.toThrow()
    happenings.emit("finish")
  })

  test("readiness is a 503 as soon as the service stops or the database is silent", async () => {
    await withToy({ checkDatabase: () => Promise.reject(new Error("gone")) }, async (own) => {
      const response = await fetch(`${own.address}/readyz`)
      expect(response.status).toBe(503)
      expect(response.headers.get("retry-after")).toBe("2")
      expect((await fetch(`${own.address}/healthz`)).status).toBe(200)
    })
    expect((await fetch(`${toy.address}/readyz`)).status).toBe(200)
  })
})

describe("Unix socket", () => {
  test("a socket is served, and one left over by a killed process is replaced", async () => {
    const folder = await testFolder()
    const socketPath = join(folder, "http.sock")
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const sent = httpRequest({ socketPath, path: "/healthz" }, (reply: IncomingMessage) =>
          resolve(text(reply)),
        )
        sent.once("error", reject).end()
      })
    await withToy({ socketPath }, async (own) => {
      expect(own.address).toBe(socketPath)
      expect(await ask()).toBe('{"status":"ok"}')
      await expect(serveToy({ socketPath })).rejects.toThrow("EADDRINUSE")
    })
  })
})
