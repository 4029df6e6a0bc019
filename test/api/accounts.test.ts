/** The operator's commands on accounts: who is there, who is kept out, who is deleted. */
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { inviteCommand } from "../../src/cli/invite.ts"
import { loginCommand } from "../../src/cli/login.ts"
import { createTokenCommand } from "../../src/cli/tokens.ts"
import {
  createUserCommand,
  deleteUserCommand,
  disableUserCommand,
  enableUserCommand,
  listUsersCommand,
} from "../../src/cli/users.ts"
import { listWorkspacesCommand } from "../../src/cli/workspaces.ts"
import { openAuthentication } from "../../src/people/authentication.ts"
import { admitProven, type SignInMethod } from "../../src/people/signIn.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { run } from "../support/runCommand.ts"
import { browse, database, mails, own, server } from "../support/signIn.ts"
import { eventually } from "../support/waiting.ts"

beforeAll(() => {
  vi.stubEnv("DATABASE_URL", database.url)
  vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
  vi.stubEnv("PARLEY_PUBLIC_URL", own)
  vi.stubEnv("PARLEY_TOKEN", server.token)
})
afterAll(() => void vi.unstubAllEnvs())

/** An account, and its token. */
async function account(email: string): Promise<string> {
  const { out, err } = await run(createUserCommand, "--email", email)
  expect(err).toContain(`Created ${email}`)
  return out.trim()
}

async function statusOf(token: string): Promise<number> {
  return (await server.send("GET", "/api/v1/users/me", { token })).status
}

async function linkFor(email: string): Promise<string> {
  const { out } = await run(loginCommand, "--email", email)
  return new URL(out.trim()).searchParams.get("code") ?? ""
}

/** The authentication of a process that remembers nothing. */
const freshProcess = () => openAuthentication(database, { log: silentLog() })

/** Begins to come in as somebody who may; returns the attempt, which resolves to its status. */
type Way = (email: string, token: string) => Promise<() => Promise<number>>

/** Every way in. One that is added to the methods of signing in does not compile without its line. */
const ways: Record<SignInMethod | "token" | "session" | "invitation" | "assistant", Way> = {
  token: async (_email, token) => async () =>
    Math.min(await statusOf(token), (await freshProcess().findCaller(token)) ? 200 : 401),
  assistant: async (_email, token) => async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const headers = { accept: "application/json, text/event-stream" }
    return (await server.send("POST", "/mcp", { body, token, headers })).status
  },
  session: async (email) => {
    const body = { code: await linkFor(email) }
    const { session } = await browse("POST", "/signIn/link", { body })
    const cookie = session?.split(";")[0] ?? ""
    const secret = cookie.split("=")[1] ?? ""
    return async () => {
      const { status } = await browse("GET", "/api/v1/users/me", { cookie })
      return Math.min(status, (await freshProcess().findSignedIn(secret)) ? 200 : 401)
    }
  },
  link: async (email) => {
    const code = await linkFor(email)
    return async () => {
      const page = await browse("GET", `/signIn/link?code=${code}`)
      const taken = await browse("POST", "/signIn/link", { body: { code } })
      return Math.min(page.status, taken.status)
    }
  },
  mail: async (email) => {
    const before = mails.length
    await browse("POST", "/signIn/mail", { body: { email } })
    await eventually(() => expect(mails.length).toBeGreaterThan(before))
    const code = /is (\d{8})\./.exec(mails.at(-1)?.text ?? "")?.[1] ?? ""
    return async () => (await browse("POST", "/signIn/code", { body: { email, code } })).status
  },
  openId: async (email) => async () =>
    (await admitProven(database, { email, mayRegister: true })) === undefined ? 403 : 200,
  invitation: async (email, token) => {
    const { err } = await run(inviteCommand, email)
    expect(err).toContain(`Invited ${email} as MEMBER.`)
    const { body } = await server.send("GET", "/api/v1/users/me/invitations", { token })
    const [{ id } = { id: "" }] = body.invitations as { id: string }[]
    const path = `/api/v1/users/me/invitations/${id}/accept`
    return async () => (await server.send("POST", path, { token })).status
  },
}

test.each(
  Object.entries(ways),
)("a disabled user does not come in by %s, and does once enabled", async (name, begin) => {
  const email = `by.${name.toLowerCase()}@example.com`
  const token = await account(email)
  // A service that remembers the owner of the token.
  expect(await statusOf(token)).toBe(200)
  const attempt = await begin(email, token)
  const disabled = await run(disableUserCommand, email)
  expect(disabled).toMatchObject({ code: 0, err: expect.stringContaining("is disabled") })
  await eventually(async () => expect(await statusOf(token)).toBe(401))
  expect(await attempt()).toBeGreaterThanOrEqual(401)
  expect(await attempt()).toBeLessThan(500)

  expect((await run(enableUserCommand, email)).code).toBe(0)
  const again = await begin(`fresh.${email}`, await account(`fresh.${email}`))
  expect(await again(), "without being disabled").toBeLessThan(400)
})

test("a disabled user gets no code, no link and no token", async () => {
  const email = "out@example.com"
  await account(email)
  await run(disableUserCommand, email)
  const before = mails.length
  await browse("POST", "/signIn/mail", { body: { email } })
  await browse("POST", "/signIn/mail", { body: { email: "ann@example.com" } })
  await eventually(() => expect(mails.length).toBeGreaterThan(before))
  expect(mails.slice(before).map(({ to }) => to)).toEqual(["ann@example.com"])
  for (const command of [loginCommand, createTokenCommand]) {
    const refused = await run(command, "--email", email)
    expect(refused).toMatchObject({ out: "", code: 1 })
    expect(refused.err).toContain(`enable it with \`parley user enable ${email}\``)
  }
})

test("the running previews of a disabled user end", async () => {
  const token = await account("previews@example.com")
  const { body } = await server.send("GET", "/api/v1/workspaces", { token })
  const [{ id: workspaceId } = { id: "" }] = body.workspaces as { id: string }[]
  const made = await server.send("POST", "/api/v1/bots", {
    token,
    body: { workspaceId, bot: { name: "A" } },
  })
  const { id: botId } = made.body.bot as { id: string }
  const path = `/api/v1/bots/${botId}/preview/startChat`
  expect((await server.send("POST", path, { token, body: {} })).status).toBe(200)
  await run(disableUserCommand, "previews@example.com")
  const { rows } = await database.pool.query(
    "select id from preview_sessions where owner_user_id in (select id from users where email = 'previews@example.com')",
  )
  expect(rows).toEqual([])
})

test("a known address gets no other account and no token", async () => {
  const email = "twice@example.com"
  await account(email)
  const again = await run(createUserCommand, "--email", email.toUpperCase())
  expect(again).toMatchObject({ out: "", code: 1 })
  expect(again.err).toBe(
    `${email} has an account already: \`parley token create --email ${email}\` makes another token.\n`,
  )
  const { rows } = await database.pool.query(
    "select t.id from api_tokens t join users u on u.id = t.owner_id where u.email = $1",
    [email],
  )
  expect(rows).toHaveLength(1)
})

test("users and workspaces are listed with who is who", async () => {
  await account("listed@example.com")
  await run(disableUserCommand, "listed@example.com")
  const { out } = await run(listUsersCommand)
  const line = out.split("\n").find((each) => each.startsWith("listed@example.com"))
  expect(line?.split(/ {2,}/)).toEqual([
    "listed@example.com",
    "disabled",
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    "never",
    "1",
  ])
  expect(out).toMatch(/^ann@example\.com +enabled /m)
  expect((await run(listWorkspacesCommand)).out).toMatch(/ My workspace +listed@example\.com$/m)
})

test("an invited person signs in by a link that the operator prints", async () => {
  const invited = await run(inviteCommand, "New@example.com", "--role", "guest")
  expect(invited.err).toContain("Invited new@example.com as GUEST. No mail was sent.")
  expect(invited.err).toContain(`Their first sign-in at ${own}/signIn accepts it.`)
  const { out, err, code } = await run(
    loginCommand,
    "--email",
    "new@example.com",
    "--next",
    "/docs",
  )
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining("Created the account"),
  })
  const link = new URL(out.trim())
  expect(link.searchParams.get("next")).toBe("/docs")
  const page = await browse("GET", link.pathname + link.search, { accept: "text/html" })
  expect(page.text).toContain('name="next" value="/docs"')
  const body = { code: link.searchParams.get("code"), next: "/docs" }
  const { session } = await browse("POST", "/signIn/link", { body })
  const cookie = session?.split(";")[0] ?? ""
  const { text } = await browse("GET", "/api/v1/workspaces", { cookie })
  expect(JSON.parse(text).workspaces).toHaveLength(1)
  const stranger = await run(loginCommand, "--email", "stranger@example.com")
  expect(stranger).toMatchObject({ code: 1, out: "" })
  const astray = await run(
    loginCommand,
    "--email",
    "ann@example.com",
    "--next",
    "javascript:alert(1)",
  )
  expect(astray).toMatchObject({ code: 1, out: "" })
})

test("a deleted user leaves nothing that waits for the address, and keeps out", async () => {
  const token = await account("gone@example.com")
  await run(inviteCommand, "gone@example.com")
  const { out, err, code } = await run(deleteUserCommand, "gone@example.com")
  expect({ out, err, code }).toEqual({
    out: "",
    err: "Deleted gone@example.com. Running servers refuse their tokens within 30 seconds.\n",
    code: 0,
  })
  await eventually(async () => expect(await statusOf(token)).toBe(401))
  for (const text of [
    "select id from users where email = $1",
    "select id from workspace_invitations where email = $1",
    "select email from sign_in_codes where email = $1",
  ]) {
    expect((await database.pool.query(text, ["gone@example.com"])).rows).toEqual([])
  }
  const { rows } = await database.pool.query(
    "select w.id from workspaces w where not exists (select from workspace_members m where m.workspace_id = w.id)",
  )
  expect(rows, "workspaces without anybody").toEqual([])
})

test("a user who alone administers a workspace with something in it is not deleted", async () => {
  const token = await account("needed@example.com")
  const { body } = await server.send("GET", "/api/v1/workspaces", { token })
  const [{ id: workspaceId } = { id: "" }] = body.workspaces as { id: string }[]
  const made = await server.send("POST", "/api/v1/bots", {
    token,
    body: { workspaceId, bot: { name: "A" } },
  })
  expect(made.status).toBe(200)
  const refused = await run(deleteUserCommand, "needed@example.com")
  expect(refused).toMatchObject({ out: "", code: 1 })
  expect(refused.err).toContain(`is the only ADMIN of workspaces with bots`)
  expect(refused.err).toContain(`- ${workspaceId} My workspace`)
  expect(await statusOf(token)).toBe(200)

  // Another ADMIN takes over.
  await database.pool.query(
    "insert into workspace_members (workspace_id, user_id, role) select $1, id, 'ADMIN' from users where email = 'ann@example.com'",
    [workspaceId],
  )
  // A disabled one cannot.
  await run(disableUserCommand, "ann@example.com")
  expect((await run(deleteUserCommand, "needed@example.com")).code).toBe(1)
  await run(enableUserCommand, "ann@example.com")
  expect((await run(deleteUserCommand, "needed@example.com")).code).toBe(0)
  const bots = await database.pool.query("select id from bots where workspace_id = $1", [
    workspaceId,
  ])
  expect(bots.rows).toHaveLength(1)
})

test("with several users the commands name them", async () => {
  const { err, code } = await run(createTokenCommand)
  expect(code).toBe(1)
  expect(err).toContain(
    "There is not exactly one user: choose one with --email:\n- ann@example.com\n",
  )
})
