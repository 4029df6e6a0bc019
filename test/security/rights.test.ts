/** Who may do what: every operation with every kind of caller, as the operation says; and nothing of others. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { expect, test } from "vitest"
import type { Admission } from "../../src/people/admissions.ts"
import { appRouter } from "../../src/routers/app.ts"
import { answerTo } from "./answerTo.ts"
import { isHidden, type Operation, operations } from "./operations.ts"
import { newTargetFor, requestFor, supplementOf } from "./requests.ts"
import {
  database,
  everybody,
  holdings,
  marker,
  newTarget,
  server,
  type Target,
  tokens,
  type Who,
} from "./twoTenants.ts"

/** Those who are admitted, and those who are told that it takes more; others get 401 or 404. */
type Admitted = { allowed: readonly Who[]; told?: readonly Who[] }

const insiders: readonly Who[] = ["guest", "platformAdmin", "member", "suspended", "admin"]
const sharers: readonly Who[] = ["reader", "writer"]
const editors: readonly Who[] = ["member", "admin"]

const admitted: Record<Admission, Admitted> = {
  anybody: { allowed: everybody },
  visitors: { allowed: everybody.filter((who) => who !== "suspended"), told: ["suspended"] },
  accounts: { allowed: everybody.filter((who) => who !== "nobody" && who !== "revoked") },
  itsAccount: { allowed: ["suspended", "admin"] },
  workspaceViewers: { allowed: insiders },
  workspaceListers: { allowed: ["guest", "platformAdmin", ...editors] },
  workspaceStaff: { allowed: ["platformAdmin", "suspended", ...editors] },
  workspaceEditors: { allowed: editors },
  workspaceAdmins: { allowed: ["suspended", "admin"], told: ["guest", "member"] },
  botViewers: { allowed: ["onlooker", "platformAdmin", ...sharers, ...editors] },
  botReaders: { allowed: ["platformAdmin", ...sharers, ...editors] },
  botWriters: { allowed: ["writer", ...editors] },
  botEditors: { allowed: editors },
  botCollaborators: { allowed: sharers },
  operators: { allowed: ["operator"] },
  flowPreviewers: { allowed: ["nobody", "revoked", "writer", ...editors], told: ["reader"] },
}

/** What platform admins get where it is not what the admission says: previews and leaving take a role. */
const ofPlatformAdmins: Readonly<Record<string, number>> = {
  leaveWorkspace: 404,
  startPreviewChat: 404,
  goBackInPreview: 404,
  executeTestWebhook: 404,
  // Of credentials, they see the names.
  "listCredentials workspaceEditors": 200,
}

/** What a caller gets from an operation. */
function expectedStatus(operation: Operation, admission: Admission, who: Who): number {
  const { id } = operation
  const own = ofPlatformAdmins[`${id} ${admission}`] ?? ofPlatformAdmins[id]
  if (who === "platformAdmin" && own !== undefined) return own
  const { allowed, told } = admitted[admission]
  if (allowed.includes(who)) return supplementOf(operation, admission).success ?? 200
  if (told?.includes(who)) return 403
  if (isHidden(operation)) return 404
  return who === "nobody" || who === "revoked" ? 401 : 404
}

/** Its 200 takes a model: test/api/streams.test.ts. It is for everybody, as nothing else of it can be. */
const elsewhere = ["streamMessage"]

const cases = operations
  .filter(({ id }) => !elsewhere.includes(id))
  .flatMap((operation) =>
    operation.admits.map((admission) => [operation.id, admission, operation] as const),
  )

/** Mutations by which nobody changes a workspace: talk, rehearsals, and looks at what waits. */
const unaudited = new Set([
  "lintBot",
  "replayResults",
  "testBot",
  "setPresence",
  "sendConversationMessage",
  "goBackInPreview",
  "executeWebhook",
  "executeTestWebhook",
  "testWebhookEndpoint",
  "fetchWebhookEvents",
  "replyToConversation",
  "signTyping",
  "signTypingInSession",
  "replyInSession",
])

function isAudited({ id, method, isPublic }: Operation, admission: Admission): boolean {
  const isOfAccount = admission === "accounts" || admission === "itsAccount"
  const isAnswer = /^(accept|decline)(Bot)?Invitation$/.test(id)
  const isOwn = isOfAccount && !isAnswer && id !== "createWorkspace"
  return method !== "GET" && !isPublic && !isOwn && !unaudited.has(id)
}

/** The operations in the audit log, which is emptied. */
async function takeAuditLog(): Promise<string[]> {
  const { rows } = await database.pool.query("delete from audit_log returning operation")
  return rows.map(({ operation }) => operation)
}

/** Puts bot and workspace into the state in which this caller meets them, or back for all others. */
async function arrange(who: Who, { botId, workspaceId }: Target): Promise<void> {
  await database.pool.query(
    `update bots set settings = jsonb_set(settings, '{publicShare}', $2) where id = $1`,
    [botId, JSON.stringify({ isEnabled: who === "onlooker" })],
  )
  await database.pool.query("update workspaces set is_suspended = $2 where id = $1", [
    workspaceId,
    who === "suspended",
  ])
}

/** Sends the request of a caller. */
function sendAs(who: Who, { method, path, body }: ReturnType<typeof requestFor>) {
  return answerTo(server.address + path, { method, token: tokens[who], body })
}

/** Nothing of the workspace is for them, whatever they ask for. */
const outsiders: readonly Who[] = ["nobody", "revoked", "stranger"]

/** For operations that change nothing, and those that can be repeated. */
const lasting = newTarget()

test.each(cases)("%s is for %s and nobody else", async (_, admission, operation) => {
  const { prepare, takesAway } = supplementOf(operation, admission)
  const isTaking = (takesAway ?? operation.method === "DELETE") && prepare === undefined
  const isAllowed = (who: Who) => admitted[admission].allowed.includes(who)
  const got: Partial<Record<Who, number>> = {}
  const answers: string[] = []
  const call = async (who: Who, target: Target) => {
    const to = { ...target, ...(await prepare?.(target, who)) }
    await takeAuditLog()
    const isArranged = who === "onlooker" || who === "suspended"
    if (isArranged) await arrange(who, to)
    const before = prepare && !isAllowed(who) ? await holdings() : undefined
    const { status, text } = await sendAs(who, requestFor(operation, admission, to))
    if (before) expect(await holdings(), who).toEqual(before)
    if (isArranged) await arrange("admin", to)
    got[who] = status
    answers.push(`${who}: ${status} ${text.slice(0, 300)}`)
    const isLogged = status === 200 && isAudited(operation, admission)
    expect(await takeAuditLog(), who).toEqual(isLogged ? [operation.id] : [])
    if (operation.isPublic) return
    if (status >= 400 || outsiders.includes(who)) expect(text, who).not.toContain(marker)
  }

  const target = isTaking ? await newTargetFor(operation, admission) : await lasting
  // Those who are refused leave everything as it is for those who are not.
  const refused = everybody.filter((each) => !isAllowed(each))
  await arrange("admin", target)
  const before = await holdings()
  for (const who of refused) await call(who, target)
  // What is made for each caller is looked at around each call.
  if (!prepare) expect(await holdings(), answers.join("\n")).toEqual(before)
  for (const [index, who] of everybody.filter(isAllowed).entries()) {
    const isSpent = isTaking && index > 0
    await call(who, isSpent ? await newTargetFor(operation, admission) : target)
  }
  const { success = 200 } = supplementOf(operation, admission)
  const advice = `Nobody succeeds at ${operation.id}: add what its request needs to the table of requests.ts`
  expect(Object.values(got), `${advice}\n${answers.join("\n")}`).toContain(success)
  const expected = everybody.map((who) => [who, expectedStatus(operation, admission, who)])
  expect(got, answers.join("\n")).toEqual(Object.fromEntries(expected))
})

test("every admission but that of everybody admits some kinds of callers and not others", () => {
  for (const [admission, { allowed }] of Object.entries(admitted)) {
    expect(allowed.length, admission).toBeGreaterThan(0)
    expect(allowed.length < everybody.length, admission).toBe(admission !== "anybody")
  }
})

test("tRPC has no procedure beside the operations but streams, which have an operation each", () => {
  const router: AnyTRPCRouter = appRouter
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const ids = new Set(operations.map(({ id }) => id))
  const others = Object.entries(procedures).filter(([, { _def }]) => {
    const meta = _def.meta as OpenApiMeta | undefined
    return !ids.has(String(meta?.openapi?.operationId))
  })
  expect(others.map(([name]) => name)).toEqual([
    ...["bot.changes", "chat.listen", "chat.streamAnswer"],
    ...["conversation.listen", "conversation.listenToSession"],
  ])
})
