/** Operators decide about all workspaces and bots of the service, and to all others their paths are unknown. */
import { beforeEach, describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { createAccount, createToken } from "../../src/people/createAccount.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { type Sent, sendTo, testServer } from "../support/server.ts"

const url = await testDatabaseUrl()
/** The first user, Ann, is an operator; Bea has a workspace with a bot. */
const server = await testServer({ DATABASE_URL: url, PARLEY_RATE_LIMITS: "off" })
/** Another process of the service. */
const beside = await testServer({ DATABASE_URL: url })
const database = await openDatabase({ url, poolSize: 2 })
const bea = await createAccount(database, { email: "bea@example.com", workspaceName: "Bea's" })
const asBea = sendTo(server.address, bea.token)
const { workspaceId } = bea
const { botId, publicId } = await publishBot({ send: asBea }, bot(group("A", ask.text())))

const decide = (body: object, id = workspaceId) =>
  server.send("PATCH", `/api/v1/operator/workspaces/${id}`, { body })
const decideBot = (body: object, id = botId) =>
  server.send("PATCH", `/api/v1/operator/bots/${id}`, { body })
const start = async (at = server) => {
  const path = `/api/v1/bots/${publicId}/startChat`
  const { status, body } = await at.send("POST", path, { token: null, body: {} })
  return status === 200 ? "started" : `${status} ${body.reason}`
}
const draft = async () => (await asBea("GET", `/api/v1/bots/${botId}`)).body.bot

beforeEach(() => database.pool.query("delete from audit_log"))

describe("to all but operators, the operations are unknown paths:", async () => {
  const ann = (await findUserByEmail(database, "ann@example.com"))?.id ?? ""
  const limited = async (limits: object) => (await createToken(database, ann, limits)).token
  const callers: Record<string, string | null> = {
    nobody: null,
    "a token that does not exist": `parley_pat_${"0".repeat(46)}`,
    "an ADMIN": bea.token,
    "an operator's token for other things": await limited({ scopes: ["admin", "bots:write"] }),
    "an operator's token for one workspace": await limited({ workspaceId }),
  }

  /** What distinguishes no two unknown paths. */
  const answerTo = async (method: string, path: string, { token, body, headers }: Sent) => {
    const response = await fetch(server.address + path, {
      method,
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: body as string }),
    })
    const { "x-request-id": _, date: __, ...others } = Object.fromEntries(response.headers)
    const text = (await response.text()).replaceAll(/"(instance|requestId)":"[^"]+"/g, "")
    return { status: response.status, headers: others, text }
  }
  const requests: [method: string, path: string, sent?: Sent][] = [
    ["GET", "/api/v1/operator/workspaces"],
    ["HEAD", "/api/v1/operator/workspaces"],
    ["GET", `/api/v1/operator/workspaces/${workspaceId}?search=%ED`],
    ["PATCH", `/api/v1/operator/bots/${botId}`, { body: '{"isClosed":true}' }],
    ["PATCH", `/api/v1/operator/bots/${botId}`, { body: "no JSON" }],
    ["POST", "/api/v1/operator/users", { headers: { "idempotency-key": "a" } }],
    ["OPTIONS", "/api/v1/operator/users", { headers: { origin: "https://a.example" } }],
    ["GET", "/api/v1/operator/worksapces"],
    ["GET", "/api/trpc/operator.listUsers"],
    ["GET", "/api/trpc/operator.listUsers,user.getMe?batch=1&input=%7B%7D"],
    ["POST", "/api/trpc/operator.updateBot", { body: '{"json":{"botId":5}}' }],
  ]

  test.each(Object.keys(callers))("to %s", async (who) => {
    for (const [method, path, sent] of requests) {
      const asked = { ...sent, token: callers[who] ?? null }
      const answer = await answerTo(method, path, asked)
      const unknown = await answerTo(method, path.replace("operator", "operetta"), asked)
      expect(answer, `${method} ${path}`).toEqual({
        ...unknown,
        text: unknown.text.replaceAll("operetta", "operator"),
      })
      expect(answer.text).not.toMatch(/operator\/(workspaces|users|bots)/)
    }
  })

  test("who asks for themselves reads that they are one, but not with such a token", async () => {
    const tokens = [null, bea.token, callers["an operator's token for other things"]]
    const read = async (token: string | null | undefined) =>
      (await server.send("GET", "/api/v1/users/me", token ? { token } : {})).body.isOperator
    expect(await Promise.all(tokens.map(read))).toEqual([true, undefined, undefined])
    const ofWorkspace = callers["an operator's token for one workspace"]
    expect(await read(ofWorkspace)).toBeUndefined()
  })

  test("an operator's token for all, or for this, has them", async () => {
    const token = await limited({ scopes: ["operator"] })
    const { status } = await server.send("GET", "/api/v1/operator/users", { token })
    expect(status).toBe(200)
  })

  test("the right comes and goes at once, in all processes", async () => {
    const set = (isOperator: boolean) =>
      database.pool.query("update users set is_operator = $1 where email = 'bea@example.com'", [
        isOperator,
      ])
    const statuses = async () => {
      const sent = { token: bea.token }
      const answers = [server, beside].map((at) => at.send("GET", "/api/v1/operator/users", sent))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    await set(true)
    expect(await statuses()).toEqual([200, 200])
    await set(false)
    expect(await statuses()).toEqual([404, 404])
  })
})

describe("a workspace", () => {
  test("that is suspended takes no chats in any process, and is closed to its members", async () => {
    expect([await start(), await start(beside)]).toEqual(["started", "started"])
    expect((await decide({ isSuspended: true })).body.workspace).toMatchObject({
      isSuspended: true,
    })
    expect([await start(), await start(beside)]).toEqual(["403 BOT_SUSPENDED", "403 BOT_SUSPENDED"])
    expect((await asBea("GET", `/api/v1/bots/${botId}`)).status).toBe(404)
    const page = await fetch(`${beside.address}/chat/${publicId}`)
    expect(page.status).toBe(403)
    await decide({ isSuspended: false })
    expect([await start(), await start(beside)]).toEqual(["started", "started"])
  })

  test("is closed by a limit at once, and opened at once when null lifts it", async () => {
    expect((await decide({ chatsHardLimit: 0 })).body.workspace).toMatchObject({ isClosed: true })
    expect(await start()).toBe("403 CHATS_LIMIT_REACHED")
    const lifted = await decide({ chatsHardLimit: null })
    expect(lifted.body.workspace).toMatchObject({ isClosed: false, chatsHardLimit: null })
    expect(await start(beside)).toBe("started")
  })

  test("keeps what is left out, and has the limits of its plan without its own", async () => {
    const first = await decide({ plan: "PRO", customChatsLimit: 5, customSeatsLimit: 7 })
    expect(first.body.workspace).toMatchObject({ chatsLimit: 5, seatsLimit: 7, seats: 1, bots: 1 })
    const second = await decide({ customChatsLimit: null, isVerified: true })
    expect(second.body.workspace).toMatchObject({
      ...{ plan: "PRO", chatsLimit: 10_000, seatsLimit: 7, isVerified: true, isPastDue: false },
    })
    await decide({ customSeatsLimit: null, isVerified: null, plan: "UNLIMITED" })
  })

  test("has a Stripe id that no other has", async () => {
    await decide({ stripeId: "cus_1" })
    const taken = await decide({ stripeId: "cus_1", plan: "FREE" }, server.workspaceId)
    expect(taken.body).toMatchObject({ reason: "STRIPE_ID_TAKEN", data: { workspaceId } })
    const path = `/api/v1/operator/workspaces/${server.workspaceId}`
    const { body } = await server.send("GET", path)
    expect(body.workspace).toMatchObject({ stripeId: null, isSuspended: false })
    expect((await decide({ stripeId: "cus_1" })).status).toBe(200)
  })

  test("has every decision in its audit log, as by an operator who is not named", async () => {
    await decide({ isVerified: true })
    await decideBot({ riskLevel: 1 }, publicId)
    const { body } = await asBea("GET", `/api/v1/workspaces/${workspaceId}/auditLog`)
    const at = expect.any(String)
    const entry = { id: at, at, isByOperator: true }
    expect(body.entries).toEqual([
      { ...entry, operation: "decideBot", target: { botId } },
      { ...entry, operation: "decideWorkspace", target: { workspaceId } },
    ])
    const { rows } = await database.pool.query(
      "select user_id from audit_log where user_id is null",
    )
    expect(rows).toEqual([])
    await decideBot({ riskLevel: null })
  })

  test("that does not exist is not found, and no decision is half applied", async () => {
    expect((await decide({ plan: "PRO" }, "nothing")).body).toMatchObject({
      message: "Workspace not found",
    })
    const { body } = await decide({ isSuspended: true, chatsHardLimit: -1 })
    expect(body.issues).toMatchObject([{ path: ["chatsHardLimit"] }])
    expect(await start()).toBe("started")
  })
})

describe("a bot", () => {
  test("that an operator closes stays closed whatever its authors do, and says why", async () => {
    const reason = "Asks for passwords of a bank"
    const { body } = await decideBot({ isClosed: true, reason })
    expect(body.bot).toMatchObject({ isClosed: true, closedReason: reason })
    expect(await draft()).toMatchObject({ isClosed: false, closedReason: reason })
    const own = { bot: { isClosed: false, closedReason: null } }
    await asBea("PATCH", `/api/v1/bots/${botId}`, { body: own })
    await asBea("POST", `/api/v1/bots/${botId}/unpublish`)
    await asBea("POST", `/api/v1/bots/${botId}/publish`)
    expect([await start(), await start(beside)]).toEqual(["400 BOT_CLOSED", "400 BOT_CLOSED"])
    expect((await fetch(`${beside.address}/chat/${publicId}`)).status).toBe(403)
    const opened = await decideBot({ isClosed: false }, publicId)
    expect(opened.body.bot).not.toHaveProperty("closedReason")
    expect(await draft()).not.toHaveProperty("closedReason")
    expect(await start()).toBe("started")
  })

  test("shows the reason to no one who only views it because it is shared", async () => {
    await decideBot({ isClosed: true, reason: "Phishing" })
    const settings = { publicShare: { isEnabled: true } }
    await asBea("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { settings } } })
    const { body } = await server.send("GET", `/api/v1/bots/${botId}`)
    expect(body.currentUserMode).toBe("guest")
    expect(body.bot).not.toHaveProperty("closedReason")
    await decideBot({ isClosed: false })
  })

  test("is closed with a reason, or not at all", async () => {
    const { body } = await decideBot({ isClosed: true, riskLevel: 90 })
    expect(body).toMatchObject({ status: 400, message: expect.stringContaining("`reason`") })
    expect(await draft()).toMatchObject({ riskLevel: null })
  })

  test("at risk waits for a verified workspace, and its risk counts as set by an operator", async () => {
    await decide({ isVerified: null })
    const publish = async () => (await asBea("POST", `/api/v1/bots/${botId}/publish`)).body.reason
    await decideBot({ riskLevel: 90 })
    expect(await publish()).toBe("BOT_UNREVIEWED")
    const stored = "select risk_level_by as by from bots where id = $1"
    expect((await database.pool.query(stored, [botId])).rows).toEqual([{ by: "operator" }])
    await decide({ isVerified: true })
    expect(await publish()).toBeUndefined()
    await decideBot({ riskLevel: null })
    expect((await database.pool.query(stored, [botId])).rows).toEqual([{ by: null }])
  })

  test("leaves its draft as it is: no change of its authors is out of date", async () => {
    const { revision, updatedAt } = (await draft()) as { revision: number; updatedAt: string }
    await decideBot({ riskLevel: 5 })
    expect(await draft()).toMatchObject({ revision, updatedAt, riskLevel: 5 })
  })
})

describe("lists", () => {
  const found = async (query: string) => {
    const { body } = await server.send("GET", `/api/v1/operator/workspaces?${query}`)
    return (body.workspaces as { name: string }[]).map(({ name }) => name)
  }

  test("workspaces by what people know of them", async () => {
    await decide({ stripeId: "cus_7" })
    for (const search of ["BEA%27S", "bea@", "cus_7", workspaceId, botId, publicId]) {
      expect(await found(`search=${search}`), search).toEqual(["Bea's"])
    }
    expect(await found("search=none%25")).toEqual([])
  })

  test("workspaces by plan and state", async () => {
    await decide({ plan: "STARTER", isPastDue: true })
    expect(await found("plan=STARTER")).toEqual(["Bea's"])
    expect(await found("state=pastDue")).toEqual(["Bea's"])
    expect(await found("state=open")).toEqual(["My workspace"])
    expect(await found("plan=STARTER&state=suspended")).toEqual([])
    await decide({ plan: "UNLIMITED", isPastDue: false })
  })

  test("users and workspaces, newest first and in pages", async () => {
    for (const [list, member, expected] of [
      ["workspaces", "name", ["Bea's", "My workspace"]],
      ["users", "email", ["bea@example.com", "ann@example.com"]],
    ] as const) {
      const seen: unknown[] = []
      let cursor = ""
      do {
        const path = `/api/v1/operator/${list}?limit=1${cursor && `&cursor=${cursor}`}`
        const { body } = await server.send("GET", path)
        seen.push(...(body[list] as Record<string, unknown>[]).map((each) => each[member]))
        cursor = String(body.nextCursor ?? "")
      } while (cursor)
      expect(seen).toEqual(expected)
    }
  })

  test("bots of a workspace, by name and address, at risk and closed, without those in the bin", async () => {
    const bots = async (query: string) => {
      const { body } = await server.send("GET", `/api/v1/operator/bots?${query}`)
      return (body.bots as { id: string }[]).map(({ id }) => id)
    }
    const { bot: other } = (
      await asBea("POST", "/api/v1/bots", { body: { workspaceId, bot: { name: "Épargne" } } })
    ).body as { bot: { id: string } }
    expect(await bots(`workspaceId=${workspaceId}`)).toEqual([other.id, botId])
    expect(await bots("workspaceId=other")).toEqual([])
    for (const search of ["épargne", other.id])
      expect(await bots(`search=${search}`)).toEqual([other.id])
    expect(await bots(`search=${publicId}`)).toEqual([botId])
    await decide({ isVerified: null })
    await decideBot({ isClosed: true, reason: "Phishing", riskLevel: 81 })
    for (const state of ["atRisk", "closed"]) expect(await bots(`state=${state}`)).toEqual([botId])
    await decide({ isVerified: true })
    expect(await bots("state=atRisk")).toEqual([])
    await asBea("DELETE", `/api/v1/bots/${botId}`)
    expect(await bots("state=closed")).toEqual([])
    await asBea("POST", `/api/v1/bots/${botId}/restore`)
    await decideBot({ isClosed: false, riskLevel: null })
    await asBea("DELETE", `/api/v1/bots/${other.id}`)
  })

  test("decisions with the operator, of one workspace or all, and nothing that members did", async () => {
    await decide({ isVerified: true })
    await decideBot({ riskLevel: null })
    await asBea("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { name: "Orders" } } })
    await decide({ isVerified: true }, server.workspaceId)
    const decisions = async (query = "") =>
      (await server.send("GET", `/api/v1/operator/decisions?${query}`)).body.decisions
    const user = { id: expect.any(String), name: null, email: "ann@example.com" }
    const shared = { id: expect.any(String), at: expect.any(String), user }
    const about = { ...shared, workspaceId, workspaceName: "Bea's" }
    const ofBea = [
      { ...about, operation: "decideBot", botId, botName: "Orders" },
      { ...about, operation: "decideWorkspace" },
    ]
    expect(await decisions(`workspaceId=${workspaceId}`)).toEqual(ofBea)
    expect(await decisions()).toEqual([
      {
        ...shared,
        ...{ workspaceId: server.workspaceId, workspaceName: "My workspace" },
        operation: "decideWorkspace",
      },
      ...ofBea,
    ])
  })

  test("users with what operators need to know of them", async () => {
    const { body } = await server.send("GET", "/api/v1/operator/users?search=BEA@")
    expect(body.users).toMatchObject([
      { email: "bea@example.com", workspaces: 1, isOperator: false, isDisabled: false },
    ])
  })
})
