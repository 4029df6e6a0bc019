/** Requests below HTTP's surface: heads, paths, queries, pipelines, upgrades, slow clients. */
import { ask, type Got, type Spoken, speak } from "../ask.ts"
import { type Attack, bounded, control, type Judge, refused, served } from "../attack.ts"
import { atOnce, closeAll, headOf } from "../floods.ts"
import { many } from "../flow.ts"

const health = "/healthz"

const head = (name: string, bytes: string, judge: Judge = bounded): Attack => ({
  name,
  door: "headers",
  run: ({ address }) => speak(address, bytes, { forMs: 1_500 }),
  judge,
})

const asking = (name: string, path: string, headers = {}, judge: Judge = bounded): Attack => ({
  name,
  door: "REST",
  run: ({ address }) => ask(address, { path, headers }),
  judge,
})

const anyRefusal: Judge = (got) =>
  got.status >= 400 && got.status < 500 ? undefined : `status ${got.status}`

const heads: Attack[] = [
  head("header of 100 kB", headOf("GET", health, { x: "x".repeat(100_000) }), refused(400, 431)),
  head(
    "5,000 headers",
    headOf("GET", health, Object.fromEntries(many(5_000, (index) => [`x${index}`, "1"]))),
  ),
  head("1,000 cookies", headOf("GET", health, { Cookie: "a=b; ".repeat(1_000) }), served),
  head(
    "two lengths",
    `POST ${health} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    refused(400),
  ),
  head(
    "length and chunks",
    headOf("POST", "/api/v1/bots/demo/startChat", {
      "Content-Length": "5",
      "Transfer-Encoding": "chunked",
    }),
    refused(400),
  ),
  head(
    "chunk that is longer than anything",
    `${headOf("POST", "/api/v1/bots/demo/startChat", { "Transfer-Encoding": "chunked" })}fffffffffffffffff\r\n`,
    anyRefusal,
  ),
  head(
    "10,000 chunks of one byte",
    `${headOf("POST", "/api/v1/bots/demo/startChat", { "Transfer-Encoding": "chunked" })}${"1\r\n \r\n".repeat(10_000)}0\r\n\r\n`,
    refused(413),
  ),
  head("no HTTP at all", "\u0000\u0001\u0002".repeat(1_000), refused(400)),
  head("target of another host", headOf("GET", `http://169.254.169.254${health}`), served),
  head("CONNECT", headOf("CONNECT", "127.0.0.1:22"), (got) =>
    got.status === 200 ? "a tunnel was opened" : undefined,
  ),
  head("pipeline of 2,000", headOf("GET", health).repeat(2_000), served),
  head(
    "pipeline of 100 starts",
    `${headOf("POST", "/api/v1/bots/demo/startChat", { "Content-Length": "2" })}{}`.repeat(100),
    served,
  ),
  head(
    "1,000 offers of h2c",
    headOf("GET", health, {
      Connection: "Upgrade, HTTP2-Settings",
      Upgrade: "h2c",
      "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
    }).repeat(1_000),
    served,
  ),
  head("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", anyRefusal),
  head("expectation of nothing", headOf("GET", health, { Expect: "the-unexpected" })),
]

const paths: Attack[] = [
  asking("query of 15 kB", `/api/v1/bots?${"a=b&".repeat(3_700)}`),
  asking("query of one name 2,000 times", `/api/v1/bots?${"limit=1&".repeat(1_900)}`),
  asking("query of brackets", `/api/v1/bots?${"a[b][c]=1&".repeat(1_400)}`),
  asking("path of 7,000 parts", "/a".repeat(7_000), {}, refused(404)),
  asking("path with a broken escape", "/api/v1/bots/%E0%A4%A", {}, refused(400, 404)),
  asking("path with NUL", "/api/v1/bots/a%00b/publishedBot", {}, refused(400, 404)),
  asking("way up from the files", "/files/..%2f..%2f..%2fetc%2fpasswd", {}, noSecret),
  asking("way up in dots", "/api/files/%2e%2e/%2e%2e/secret", {}, noSecret),
  asking("way up behind the API", "/api/v1/files/....//....//etc/passwd", {}, noSecret),
  asking("way up of Windows", "/files/..%5c..%5cwindows%5cwin.ini", {}, noSecret),
  asking("way up in the docs", "/docs/..%2f..%2fpackage.json", {}, noSecret),
  asking("10,000 ranges", "/openapi.json", { range: `bytes=${"0-1,".repeat(3_000)}0-1` }),
  asking("range from beyond", "/openapi.json", { range: "bytes=99999999999999999999-" }),
  asking(
    "token of 7 kB",
    "/api/v1/users/me",
    { authorization: `Bearer ${"x".repeat(7_000)}` },
    refused(401),
  ),
  asking("accepts everything", "/api/v1/users/me", { accept: "a/b,".repeat(1_800) }),
  asking("origin of 7 kB", "/api/v1/users/me", { origin: `http://${"a.".repeat(3_500)}` }),
  control(
    asking("honest question", "/openapi.json", {}, (got) =>
      got.status === 200 ? undefined : "no",
    ),
  ),
]

/** Many clients that never finish a request; another client must still be served. */
const slow = (name: string, bytes: string): Attack => ({
  name,
  door: "sockets",
  crowd: 1,
  run: async ({ address }) => {
    const slowOnes = atOnce(500, () => speak(address, bytes, { forMs: 2_000, staysOpen: true }))
    const other = await ask(address, { path: health })
    closeAll(await slowOnes)
    return other
  },
  judge: served,
})

const floods: Attack[] = [
  slow("500 heads without an end", `POST / HTTP/1.1\r\nHost: a\r\nx: `),
  slow(
    "500 bodies without an end",
    `${headOf("POST", "/api/v1/bots/demo/startChat", { "Content-Length": "1000" })}{`,
  ),
  slow("500 connections that say nothing", ""),
  socketFlood("600 WebSockets", "/parties/main/nobody/webhooks", {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  }),
  socketFlood("600 streams of events", "/api/v1/sessions/nobody/events", {}),
  {
    name: "WebSocket with a frame of 2^62 bytes",
    door: "sockets",
    run: ({ address }) => {
      const text = headOf("GET", "/parties/main/nobody/webhooks", {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      })
      const frame = Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
      return speak(address, Buffer.concat([Buffer.from(text), frame]), { forMs: 1_000 })
    },
    judge: bounded,
  },
  {
    name: "200 calls of webhooks that nobody waits for",
    door: "REST",
    crowd: 1,
    run: async ({ address, token }) => {
      const result = "0199aaaa-0000-7000-8000-00000000aaaa"
      const path = `/api/v1/bots/none/blocks/b/results/${result}/executeWebhook`
      const body = { a: "x".repeat(100_000) }
      const got = await atOnce(200, () => ask(address, { path, token, body }))
      return got.find((each) => each.status !== 404) ?? first(got)
    },
    judge: refused(404, 429, 503),
  },
]

function socketFlood(name: string, path: string, headers: Record<string, string>): Attack {
  return {
    name,
    door: "sockets",
    crowd: 1,
    run: async ({ address }) => {
      const bytes = headOf("GET", path, headers)
      const open = atOnce(600, () => speak(address, bytes, { forMs: 2_000, staysOpen: true }))
      const other = await ask(address, { path: health })
      const spoken: Spoken[] = await open
      closeAll(spoken)
      return other
    },
    judge: served,
  }
}

function noSecret(got: Got): string | undefined {
  const isFile = /root:|\[fonts\]|"name": "parley"/.test(got.text)
  return refused(404, 400)(got) ?? (isFile ? "a file" : undefined)
}

function first(all: readonly Got[]): Got {
  const [found] = all
  if (!found) throw new Error("Nothing was sent")
  return found
}

export const headAttacks: Attack[] = [...heads, ...paths, ...floods]
