/** Tests that mails reach a real mail server as intended, within their limits, and reveal no password. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest"
import type { ReadFile } from "../../src/effects/files/readFile.ts"
import { createEmail } from "../../src/effects/mail/email.ts"
import { createResolveHost, sendBySmtp, serverOf } from "../../src/effects/mail/smtp.ts"
import type { Call } from "../../src/engine/calls.ts"
import { pick } from "../../src/lib/foreignJson.ts"
import { selfSigned } from "../support/certificate.ts"
import { callContext, json, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

type Mail = { from: string; to: string[]; user: string; text: string }

const mails: Mail[] = []
let refusal: string | undefined

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, done) {
    if (password === "right-password") done(null, { user: username })
    else done(new Error(`Wrong: ${password}`))
  },
  onRcptTo(_address, _session, done) {
    done(refusal === undefined ? null : new Error(refusal))
  },
  onData(stream, { envelope, user }, done) {
    const chunks: Buffer[] = []
    stream.on("data", (chunk: Buffer) => chunks.push(chunk))
    stream.on("end", () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ""
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ from, to, user: String(user ?? ""), text: Buffer.concat(chunks).toString() })
      done()
    })
  },
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
const { port } = server.server.address() as AddressInfo

const account = (password: string, host = "127.0.0.1") => ({
  type: "smtp",
  data: {
    host,
    port,
    username: "ann",
    password,
    isTlsEnabled: false,
    from: { email: "ann@example.com", name: "Ann" },
  },
})

const readFile: ReadFile = async (url, _context, { isOwnOnly }) =>
  isOwnOnly && !url.startsWith("https://own/")
    ? { failed: true, description: "The file was not uploaded in this chat" }
    : { bytes: Buffer.from("file content"), contentType: "text/plain", name: "a.txt" }

const gmail = await startPeer()
const email = createEmail({
  credentials: wallet({
    good: account("right-password"),
    bad: account("wrong-password"),
    inside: account("right-password", "10.1.2.3"),
    box: { type: "gmail", data: { accessToken: "ya29.secret-token" } },
  }),
  readFile,
  defaultServer: {
    host: "127.0.0.1",
    port,
    isTlsEnabled: false,
    from: { email: "bot@example.com" },
  },
  resolveHost: createResolveHost(["127.0.0.1"]),
  fetch: plainFetch,
  gmailUrl: gmail.url,
})

beforeEach(() => {
  mails.length = 0
  refusal = undefined
})

let turns = 0
const turn = (call = 0) => callContext({ idempotencyKey: `s${turns}${call}`, turnKey: `s${turns}` })
const nextTurn = () => {
  turns += 1
  return turn()
}

const mail = (parts: Partial<Call<"email">> = {}): Call<"email"> => ({
  kind: "email",
  credential: { id: "good", type: "smtp" },
  to: ["bob@example.com"],
  subject: "Hello",
  text: "Hi Bob",
  attachesOnlyUploads: true,
  ...parts,
})

test("sends from the account to everybody, blind copies unseen", async () => {
  const parts = {
    to: ["a@e.com", "b@e.com"],
    cc: ["c@e.com"],
    bcc: ["d@e.com"],
    replyTo: "Eve <e@e.com>",
  }
  expect(await email(mail(parts), nextTurn())).toEqual({
    messageId: expect.stringContaining("@"),
  })
  const [sent] = mails
  expect(sent).toMatchObject({
    from: "ann@example.com",
    to: ["a@e.com", "b@e.com", "c@e.com", "d@e.com"],
    user: "ann",
  })
  expect(sent?.text).toContain("From: Ann <ann@example.com>")
  expect(sent?.text).toContain("Reply-To: Eve <e@e.com>")
  expect(sent?.text).not.toContain("d@e.com")
  expect(sent?.text).toContain("Hi Bob")
})

test("shows another name before the account's address", async () => {
  await email(mail({ senderName: "Support", html: "<b>Hi</b>", text: undefined }), nextTurn())
  expect(mails[0]?.text).toContain("From: Support <ann@example.com>")
  expect(mails[0]?.text).toContain("<b>Hi</b>")
})

test("sends through the service's own server without an account", async () => {
  await email(mail({ credential: undefined }), nextTurn())
  expect(mails[0]).toMatchObject({ from: "bot@example.com", user: "" })
})

test.each([
  [465, undefined, true],
  [587, undefined, false],
  [465, false, false],
  [587, true, true],
])("begins at port %i, encrypted or not %s, with TLS: %s", (port, isTlsEnabled, begins) => {
  const data = { host: "mail.e.com", port, isTlsEnabled, from: { email: "ann@e.com" } }
  expect(serverOf(data)).toMatchObject({ isTlsEnabled: begins })
})

test("attaches uploads of the chat, and fails for other files", async () => {
  await email(mail({ attachments: ["https://own/a.txt"] }), nextTurn())
  expect(mails[0]?.text).toContain("filename=a.txt")
  expect(mails[0]?.text).toContain(Buffer.from("file content").toString("base64"))
  const foreign = mail({ attachments: ["https://own/a.txt", "https://foreign/b.txt"] })
  expect(await email(foreign, nextTurn())).toMatchObject({
    failed: true,
    description: "An attachment failed: The file was not uploaded in this chat",
  })
  expect(mails).toHaveLength(1)
  await email({ ...foreign, attachesOnlyUploads: false }, nextTurn())
  expect(mails).toHaveLength(2)
})

test("13.5 sends at most five mails in one turn", async () => {
  turns += 1
  for (let call = 0; call < 5; call++) {
    const outcome = await email(mail({ subject: `Mail ${call}` }), turn(call))
    expect(outcome).toHaveProperty("messageId")
  }
  const sixth = await email(mail({ subject: "Mail 5" }), turn(5))
  expect(sixth).toMatchObject({ failed: true, reason: "limit" })
  expect(mails).toHaveLength(5)
  expect(await email(mail(), nextTurn())).toHaveProperty("messageId")
})

test("sends to at most fifty addresses, however they are written", async () => {
  const some = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com`)
  const fifty = { to: [some("a", 20).join(", ")], cc: some("b", 20), bcc: some("c", 9) }
  const sent = await email(mail({ ...fifty, replyTo: "r@example.com" }), nextTurn())
  expect(sent).toHaveProperty("messageId")
  for (const more of [
    { replyTo: "r@example.com, s@example.com" },
    { bcc: [...fifty.bcc, "All: x@example.com, y@example.com;"] },
  ]) {
    const outcome = await email(mail({ ...fifty, ...more }), nextTurn())
    expect(outcome).toMatchObject({ failed: true, reason: "limit" })
  }
  const attachments = Array.from({ length: 51 }, () => "https://a.example/a.png")
  expect(await email(mail({ attachments }), nextTurn())).toMatchObject({ reason: "limit" })
  expect(mails).toHaveLength(1)
})

test("13.5 refuses the same mail twice in a row", async () => {
  turns += 1
  await email(mail(), turn(0))
  expect(await email(mail(), turn(1))).toMatchObject({ failed: true, reason: "limit" })
  await email(mail({ text: "Other" }), turn(2))
  expect(await email(mail(), turn(3))).toHaveProperty("messageId")
})

test("refuses line breaks that would smuggle headers or recipients in", async () => {
  const subject = "Hello\r\nBcc: victim@example.com"
  await email(mail({ subject, replyTo: "a@b.co\r\nBcc: victim@example.com" }), nextTurn())
  expect(mails.flatMap(({ to }) => to)).not.toContain("victim@example.com")
  expect(mails.map(({ text }) => text).join()).not.toMatch(/^Bcc:/m)
})

test("says that a recipient is no address, instead of blaming the server", async () => {
  expect(await email(mail({ to: ["Ann"] }), nextTurn())).toEqual({
    failed: true,
    description: "The mail has no recipient or no sender with an address",
  })
})

test("reports a refused password without quoting it", async () => {
  const outcome = await email(mail({ credential: { id: "bad", type: "smtp" } }), nextTurn())
  expect(outcome).toMatchObject({ failed: true, reason: "credentials" })
  expect(JSON.stringify(outcome)).not.toContain("wrong-password")
})

test("reports the server's message about a recipient, without the password", async () => {
  refusal = "No such user; right-password"
  const outcome = await email(mail(), nextTurn())
  expect(outcome).toMatchObject({ failed: true, description: "The mail server refused the mail" })
  expect(JSON.stringify(outcome)).toContain("No such user; ***")
})

test("describes connection failures", async () => {
  const { cert, key } = selfSigned({ until: new Date("2049-01-01") })
  const distrusted = new SMTPServer({ secure: true, authOptional: true, cert, key })
  distrusted.on("error", () => {})
  await new Promise<void>((resolve) => distrusted.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => distrusted.close(resolve)))
  const own = (distrusted.server.address() as AddressInfo).port
  const from = { email: "bot@example.com" }
  const ready = { ...mail(), files: [] }
  const signal = new AbortController().signal
  const detailsOf = async (host: string, at: number, isTlsEnabled: boolean) =>
    pick(await sendBySmtp({ host, port: at, isTlsEnabled, from }, ready, { signal }), "details")
  expect([
    await detailsOf("127.0.0.1", own, true),
    await detailsOf("127.0.0.1", 1, false),
    await detailsOf("nowhere.invalid", 25, false),
  ]).toEqual([
    "Its certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)",
    "Its host refuses connections (ECONNREFUSED)",
    expect.stringMatching(/^Its host cannot be found/),
  ])
})

test("does not connect to a server at an address that must not be called", async () => {
  const inside = mail({ credential: { id: "inside", type: "smtp" } })
  expect(await email(inside, nextTurn())).toMatchObject({ failed: true, reason: "blocked" })
})

test("sends nothing in an anonymous preview, or with an account that is not there", async () => {
  const anonymous = { ...nextTurn(), isRestricted: true }
  expect(await email(mail(), anonymous)).toMatchObject({ failed: true })
  const unknown = mail({ credential: { id: "nobody", type: "smtp" } })
  expect(await email(unknown, nextTurn())).toMatchObject({ reason: "credentials" })
  expect(mails).toEqual([])
})

test("sends by Gmail into a conversation, with its blind copies and files", async () => {
  gmail.answers(json({ id: "m1", threadId: "t1" }))
  const parts = {
    credential: { id: "box", type: "gmail" },
    to: ['bob@example.com, "Eve, Ltd." <eve@example.com>'],
    from: '"Acme, Inc." <me@example.com>',
    bcc: ["d@e.com"],
    threadId: "t1",
    attachments: ["https://foreign/a.txt"],
    attachesOnlyUploads: false,
  }
  expect(await email(mail(parts), nextTurn())).toEqual({ messageId: "m1", threadId: "t1" })
  const [sent] = gmail.received
  expect(sent).toMatchObject({
    path: "/users/me/messages/send",
    headers: { authorization: "Bearer ya29.secret-token" },
  })
  const { raw, threadId } = sent?.json as { raw: string; threadId: string }
  const message = Buffer.from(raw, "base64url").toString()
  expect(threadId).toBe("t1")
  expect(message).toContain('From: "Acme, Inc." <me@example.com>\r\n')
  expect(message).toContain('To: bob@example.com, "Eve, Ltd." <eve@example.com>\r\n')
  expect(message).toContain("Bcc: d@e.com\r\n")
  expect(message).toContain("filename=a.txt")
})

test("reports Gmail's refusal, without the token", async () => {
  gmail.answers(json({ error: { message: "Bad ya29.secret-token" } }, 401))
  const parts = { credential: { id: "box", type: "gmail" } }
  expect(await email(mail(parts), nextTurn())).toMatchObject({
    failed: true,
    details: "Bad ***",
    reason: "credentials",
    status: 401,
  })
})

test("a server that never ends is abandoned when the turn is over", async () => {
  const turnEnds = new AbortController()
  const chatty = createServer((socket) => {
    socket.on("error", () => {})
    socket.write("220 mail.example\r\n")
    const talk = () =>
      socket.write("250-and another thing\r\n", (error) => error ?? setImmediate(talk))
    socket.once("data", () => {
      talk()
      turnEnds.abort()
    })
  })
  chatty.listen(0, "127.0.0.1")
  await once(chatty, "listening")
  const { port } = chatty.address() as AddressInfo
  const { type, data } = account("right-password")
  const slow = createEmail({
    credentials: wallet({ slow: { type, data: { ...data, port } } }),
    readFile,
    resolveHost: createResolveHost(["127.0.0.1"]),
    fetch: plainFetch,
  })
  const call = mail({ credential: { id: "slow", type: "smtp" } })
  const context = { ...nextTurn(), signal: turnEnds.signal }
  expect(await slow(call, context)).toMatchObject({ failed: true, reason: "timeout" })
  // Its connection is closed, too.
  await new Promise((resolve) => chatty.close(resolve))
})
