/** People sign in with a code that they get by mail. */
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { expect, onTestFinished, test, vi } from "vitest"
import { createLog } from "../../src/telemetry/log.ts"
import { testServer } from "../support/server.ts"
import { browse, database, formHeaders, mails, mailUrl, server } from "../support/signIn.ts"
import { eventually } from "../support/waiting.ts"

async function codeFor(email: string): Promise<string> {
  const before = mails.length
  expect((await browse("POST", "/signIn/mail", { body: { email } })).status).toBe(200)
  await eventually(() => expect(mails.length).toBeGreaterThan(before))
  expect(mails.at(-1)?.to).toBe(email.toLowerCase())
  return /is (\d{8})\./.exec(mails.at(-1)?.text ?? "")?.[1] ?? ""
}

test("a code by mail signs in once, in any spelling", async () => {
  const code = await codeFor("Ann@example.com")
  const { rows } = await database.pool.query("select t::text as row from sign_in_codes t")
  expect(rows.map(({ row }) => row).join()).not.toContain(code)
  const typed = `${code.slice(0, 4)} ${code.slice(4)}`
  const body = { email: " ann@EXAMPLE.com.", code: typed }
  const entered = await browse("POST", "/signIn/code", { body })
  expect(entered.session).toMatch(/^parley_session=parley_ses_/)
  expect((await browse("POST", "/signIn/code", { body })).status).toBe(401)
})

test("a code lasts ten minutes by the clock of the database", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const code = await codeFor("ann@example.com")
  vi.useRealTimers()
  const body = { email: "ann@example.com", code }
  expect((await browse("POST", "/signIn/code", { body })).status).toBe(200)
})

test("a code takes five attempts", async () => {
  const code = await codeFor("ann@example.com")
  const attempt = async (tried: string) =>
    (await browse("POST", "/signIn/code", { body: { email: "ann@example.com", code: tried } }))
      .status
  const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
  for (let count = 0; count < 5; count++) expect(await attempt(wrong)).toBe(401)
  expect(await attempt(code)).toBe(401)
})

test("no answer reveals who has an account, and strangers get no mail", async () => {
  const before = mails.length
  const ask = async (email: string) => {
    const { status, text } = await browse("POST", "/signIn/mail", { body: { email } })
    const code = await browse("POST", "/signIn/code", { body: { email, code: "00000000" } })
    const { instance: _, ...problem } = JSON.parse(code.text)
    return { status, text, problem }
  }
  const unknown = await ask("eve@example.com")
  expect(await ask("ann@example.com")).toEqual(unknown)
  await eventually(() => expect(mails.length).toBeGreaterThan(before))
  expect(mails.slice(before).map(({ to }) => to)).toEqual(["ann@example.com"])
})

test("an invited person signs in for the first time and is a member", async () => {
  const { body: listed } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const path = `/api/v1/workspaces/${workspace?.id}/invitations`
  await server.send("POST", path, { body: { email: "bob@example.com", type: "MEMBER" } })
  const code = await codeFor("bob@example.com")
  const { session } = await browse("POST", "/signIn/code", {
    body: { email: "bob@example.com", code },
  })
  const cookie = session?.split(";")[0] ?? ""
  const seen = await browse("GET", "/api/v1/workspaces", { cookie })
  expect(JSON.parse(seen.text).workspaces).toMatchObject([{ id: workspace?.id }])
  const { body: log } = await server.send("GET", `/api/v1/workspaces/${workspace?.id}/auditLog`)
  expect(JSON.stringify(log)).toContain("acceptInvitation")
})

test("an address gets five codes an hour, even with limits off", async () => {
  await database.pool.query("delete from sign_in_codes")
  const before = mails.length
  const sent = { body: { email: "ann@example.com" } }
  for (let count = 0; count < 5; count++) {
    await browse("POST", "/signIn/mail", sent)
    await eventually(() => expect(mails.length).toBe(before + count + 1))
  }
  await database.pool.query("update sign_in_codes set sent = 5")
  const { rows } = await database.pool.query(
    "select encode(code_hash, 'hex') as hash from sign_in_codes",
  )
  await browse("POST", "/signIn/mail", sent)
  // The next one goes to somebody else, and comes after it.
  await codeFor("bob@example.com")
  const after = await database.pool.query(
    "select encode(code_hash, 'hex') as hash from sign_in_codes where email = 'ann@example.com'",
  )
  expect(after.rows).toEqual(rows)
})

test("attempts are limited by address and by person", async () => {
  const limited = await testServer({
    DATABASE_URL: database.url,
    PARLEY_RATES: "signIn=0.01/4,signInByEmail=0.01/2",
    PARLEY_SMTP_URL: mailUrl,
    PARLEY_SMTP_FROM: "parley@example.com",
  })
  const attempt = async (email: string) => {
    const body = { email, code: "12345678" }
    const headers = { origin: limited.address, ...formHeaders }
    const reply = await limited.send("POST", "/signIn/code", { body, headers, token: null })
    return (reply.body.data as { limit?: string } | undefined)?.limit ?? reply.status
  }
  const eve = "eve@example.com"
  const outcomes = []
  for (const email of [eve, eve, eve, "e@x.org", "f@x.org"]) outcomes.push(await attempt(email))
  expect(outcomes).toEqual([401, 401, "signInByEmail", 401, "signIn"])
})

test("the log says why a code was not sent, and not to whom", async () => {
  const refusing = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _, done) => done(new Error(`No relay for ${address}`)),
  })
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => refusing.close(resolve)))
  const { port } = refusing.server.address() as AddressInfo
  const lines: Record<string, unknown>[] = []
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) })
  for (const to of [port, 1]) {
    const url = `smtp://127.0.0.1:${to}`
    const failing = await testServer({ PARLEY_SMTP_URL: url, PARLEY_SMTP_FROM: "us@e.com" }, log)
    const sent = {
      body: { email: "ann@example.com" },
      headers: { origin: failing.address, ...formHeaders },
    }
    expect((await failing.send("POST", "/signIn/mail", sent)).status).toBe(200)
    await failing.stop()
  }
  expect(lines.filter(({ level }) => level === "error")).toMatchObject([
    { why: "The mail server refused the mail", details: "550 No relay for …" },
    {
      why: "The mail server could not be reached",
      details: "Its host refuses connections (ECONNREFUSED)",
    },
  ])
  expect(JSON.stringify(lines)).not.toContain("ann@")
})
