/**
 * What limited tokens may do: every operation with a token of every other scope, with one for another
 * workspace or bot, and with one that is just enough. All are tokens of people whom the operation admits.
 */
import { expect, test } from "vitest"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { newId } from "../../src/lib/ids.ts"
import type { Grant } from "../../src/people/caller.ts"
import { createToken } from "../../src/people/createAccount.ts"
import { type Scope, scopes, usualScopes } from "../../src/people/grants.ts"
import { publishBot } from "../support/publish.ts"
import { answerTo } from "./answerTo.ts"
import { isHidden, type Operation, operations } from "./operations.ts"
import { newTargetFor, requestFor, supplementOf } from "./requests.ts"
import {
  database,
  flow,
  holdings,
  newTarget,
  newWorkspace,
  server,
  type Target,
} from "./twoTenants.ts"

const everyScope = Object.keys(scopes) as Scope[]
/** A token counts in a chat for the trace of a preview alone. */
const guarded = operations.filter(({ id, scope }) => scope && id !== "continueChat")

/** Who may do everything here but leave a bot, which takes a collaborator. */
const admin = await userIdOf("ann@example.com")
const writer = await userIdOf("wes@example.com")
const operator = await userIdOf("ops@example.com")
const callerOf = (operation: Operation) => {
  if (isHidden(operation)) return operator
  return operation.id === "leaveBot" ? writer : admin
}

/** The admin's too, so that only the token keeps them out. */
const elsewhere = await newWorkspace()
const other = await publishBot(server, { ...flow, name: "Elsewhere" })

async function userIdOf(email: string): Promise<string> {
  return (await findUserByEmail(database, email))?.id ?? ""
}

const made = new Map<string, Promise<string>>()

/** A token with these limits, made once. */
function tokenOf(userId: string, limits: Partial<Grant>): Promise<string> {
  const key = JSON.stringify([userId, limits])
  const token = made.get(key) ?? createToken(database, userId, limits).then(({ token }) => token)
  made.set(key, token)
  return token
}

function send(operation: Operation, to: Target, token: string) {
  const [admission = "accounts"] = operation.admits
  const { method, path, body } = requestFor(operation, admission, to)
  return answerTo(server.address + path, { method, token, body })
}

const lasting = newTarget()

async function targetOf(operation: Operation): Promise<Target> {
  const [admission = "accounts"] = operation.admits
  const { prepare, takesAway } = supplementOf(operation, admission)
  const isTaking = (takesAway ?? operation.method === "DELETE") && prepare === undefined
  // Some operation before has erased what was said in the lasting one, or gone on with its chat.
  const isNew = isTaking || operation.tag === "Conversations" || operation.tag === "Results"
  const target = isNew ? await newTargetFor(operation, admission) : await lasting
  return { ...target, ...(await prepare?.(target, "admin")) }
}

test("every operation but those for everybody has a scope, and that of its tag unless it says another", () => {
  const listed = Object.fromEntries(guarded.map(({ id, scope }) => [id, scope]))
  const open = operations.filter(({ isPublic }) => isPublic)
  expect(operations.filter(({ scope }) => scope === undefined).map(({ id }) => id)).toEqual(
    open.map(({ id }) => id).filter((id) => id !== "startPreviewChat" && id !== "continueChat"),
  )
  for (const scope of Object.values(listed)) expect([...everyScope, "any"]).toContain(scope)
  const unusual = guarded.filter(({ scope, method, tag }) => {
    const usual = usualScopes[tag]
    return scope !== (method === "GET" ? usual.read : usual.change)
  })
  expect(Object.fromEntries(unusual.map(({ id, scope }) => [id, scope]))).toEqual({
    listWorkspaces: "bots:read",
    getWorkspace: "bots:read",
    getUsage: "results:read",
    lintBot: "bots:read",
    replayResults: "results:read",
    listCollaborators: "admin",
    shareBot: "admin",
    updateCollaborator: "admin",
    removeCollaborator: "admin",
    setPresence: "bots:read",
    startPreviewChat: "bots:write",
    executeWebhook: "conversations:write",
    getMe: "any",
    listTemplates: "any",
    revokeApiToken: "any",
  })
})

test.each(
  guarded.filter(({ scope }) => scope !== "any").map((each) => [each.id, each] as const),
)("%s takes its scope and no other", async (_, operation) => {
  const { scope, admits } = operation
  const [admission = "accounts"] = admits
  const target = await targetOf(operation)
  const userId = callerOf(operation)
  const before = await holdings()
  const others = everyScope.filter((each) => each !== scope)
  for (const scopes of [...others.map((each) => [each]), others]) {
    const { status, text } = await send(operation, target, await tokenOf(userId, { scopes }))
    const refusal = isHidden(operation) ? 404 : 403
    expect({ scopes, status }, text).toEqual({ scopes, status: refusal })
    if (isHidden(operation)) continue
    expect(JSON.parse(text)).toMatchObject({ reason: "SCOPE_MISSING", code: "FORBIDDEN" })
    expect(text).toContain(`\`${scope}\``)
  }
  const made = await holdings()
  expect({ ...made, tokens: before.tokens }).toEqual(before)
  const enough = await tokenOf(userId, { scopes: [scope ?? ""] })
  const { status, text } = await send(operation, target, enough)
  expect(status, text).toBe(supplementOf(operation, admission).success ?? 200)
})

/** Those that admit people by what they name; the others are of the account. */
const ofThings = guarded.filter(
  ({ admits }) => !/^(accounts|itsAccount|flowPreviewers|operators)$/.test(admits[0] ?? ""),
)

test.each(
  ofThings.map((each) => [each.id, each] as const),
)("%s finds nothing with a token for something else", async (_, operation) => {
  const [admission = "accounts"] = operation.admits
  const target = await targetOf(operation)
  const userId = callerOf(operation)
  const before = await holdings()
  for (const limits of [
    { workspaceId: elsewhere.workspaceId },
    { workspaceId: newId() },
    { botIds: [other.botId] },
  ]) {
    const { status, text } = await send(operation, target, await tokenOf(userId, limits))
    expect({ limits, status }, text).toEqual({ limits, status: 404 })
  }
  expect({ ...(await holdings()), tokens: before.tokens }).toEqual(before)
  const { workspaceId, botId } = target
  // What names a bot and admits people of a workspace makes something there.
  const isOfBot = !admission.startsWith("workspace")
  const inBot = operation.path.includes("{botId}")
    ? await send(operation, target, await tokenOf(userId, { botIds: [botId] }))
    : undefined
  const { takesAway, prepare } = supplementOf(operation, admission)
  const isSpent = (takesAway ?? operation.method === "DELETE") || operation.id === "goBackInPreview"
  const again = { ...target, ...(inBot && !isSpent && (await prepare?.(target, "admin"))) }
  const last =
    isSpent && inBot ? inBot : await send(operation, again, await tokenOf(userId, { workspaceId }))
  const success = supplementOf(operation, admission).success ?? 200
  expect(last.status, last.text).toBe(success)
  if (inBot) expect(inBot.status, inBot.text).toBe(isOfBot ? success : 404)
})

test.each(
  guarded
    .filter(({ admits }) => /^(accounts|itsAccount)$/.test(admits.join()))
    .map((each) => [each.id, each] as const),
)("%s is of the account, or leaves out what a token is not for", async (_, operation) => {
  const token = await tokenOf(admin, { workspaceId: elsewhere.workspaceId })
  const target = await targetOf(operation)
  const { status, text } = await send(operation, target, token)
  const open = ["listWorkspaces", "listTemplates", "createApiToken", "checkPublicId", "getMe"]
  const isOpen = open.includes(operation.id)
  expect(status, text).toBe(isOpen ? 200 : 403)
  if (!isOpen) expect(JSON.parse(text)).toMatchObject({ reason: "TOKEN_TOO_NARROW" })
})

test.each(
  guarded.filter(isHidden).map((each) => [each.id, each] as const),
)("%s is unknown to a token for a workspace or bots, also for those that it names", async (_, operation) => {
  const target = await targetOf(operation)
  const { workspaceId, botId } = target
  for (const limits of [{ workspaceId }, { botIds: [botId] }]) {
    const { status, text } = await send(operation, target, await tokenOf(operator, limits))
    expect(status, text).toBe(404)
  }
})

test("lists and workspaces show what a token is for, and nothing else", async () => {
  const { workspaceId } = elsewhere
  const [one, bots] = await Promise.all([
    tokenOf(admin, { workspaceId }),
    tokenOf(admin, { botIds: [other.botId] }),
  ])
  const list = (token: string) => server.send("GET", "/api/v1/workspaces", { token })
  expect((await list(one)).body.workspaces).toMatchObject([{ id: workspaceId }])
  expect((await list(bots)).body.workspaces).toEqual([])
  const credentials = { type: "http proxy", name: "Own", data: { url: "http://own.example" } }
  const body = { scope: "user", credentials }
  const kept = await server.send("POST", "/api/v1/credentials", { body })
  const path = `/api/v1/credentials/${kept.body.credentialsId}`
  expect((await server.send("GET", path, { token: one })).status).toBe(404)
  const refused = await server.send("POST", "/api/v1/credentials", { body, token: one })
  expect(refused.body).toMatchObject({ status: 403, reason: "TOKEN_TOO_NARROW" })
})

test("a token for conversations counts in chats, any other one is nobody's there", async () => {
  const { botId } = await lasting
  const preview = (token: string) =>
    server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, { token, body: {} })
  const [reading, elsewhereToken, enough] = await Promise.all([
    tokenOf(admin, { scopes: ["bots:read"] }),
    tokenOf(admin, { workspaceId: elsewhere.workspaceId }),
    tokenOf(admin, { scopes: ["bots:write"], botIds: [botId] }),
  ])
  expect((await preview(reading)).body).toMatchObject({ status: 403, reason: "SCOPE_MISSING" })
  expect((await preview(elsewhereToken)).status).toBe(404)
  expect((await preview(enough)).status).toBe(200)
})

test("no token makes one that may do more than itself", async () => {
  const { workspaceId, botId } = await lasting
  const soon = new Date(Date.now() + 3_600_000)
  const later = new Date(soon.getTime() + 1).toISOString()
  const make = async (limits: Partial<Grant>, wishes: object) => {
    const token = await tokenOf(admin, limits)
    const body = { name: "Child", ...wishes }
    return (await server.send("POST", "/api/v1/users/me/api-tokens", { token, body })).body
  }
  const tooNarrow = { status: 403, reason: "TOKEN_TOO_NARROW" }
  const missing = { status: 404 }
  expect(await make({ scopes: ["admin"] }, { scopes: ["admin", "bots:read"] })).toMatchObject(
    tooNarrow,
  )
  expect(await make({ expiresAt: soon }, { expiresAt: later })).toMatchObject(tooNarrow)
  expect(await make({ botIds: [botId] }, { workspaceId })).toMatchObject(missing)
  expect(await make({ botIds: [botId] }, { botIds: [botId, other.botId] })).toMatchObject(missing)
  expect(await make({ workspaceId: elsewhere.workspaceId }, { botIds: [botId] })).toMatchObject(
    missing,
  )
  expect(await make({ workspaceId }, { botIds: [botId] })).toMatchObject({
    apiToken: { botIds: [botId] },
  })
  // Who asks for nothing gets what the token has.
  const own = { scopes: ["admin"], workspaceId, expiresAt: soon }
  expect(await make(own, {})).toMatchObject({
    apiToken: { scopes: ["admin"], workspaceId, expiresAt: soon.toISOString() },
  })
  expect(await make({}, { botIds: [botId], workspaceId })).toMatchObject({ status: 400 })
})

test("a limited token revokes itself, and no other", async () => {
  const [narrow, targeted] = await Promise.all([
    createToken(database, admin, { scopes: ["bots:read"] }),
    createToken(database, admin, { workspaceId: elsewhere.workspaceId }),
  ])
  const revoke = async (tokenId: string, token: string) =>
    (await server.send("DELETE", `/api/v1/users/me/api-tokens/${tokenId}`, { token })).body
  expect(await revoke(targeted.id, narrow.token)).toMatchObject({ reason: "SCOPE_MISSING" })
  expect(await revoke(narrow.id, targeted.token)).toMatchObject({ reason: "TOKEN_TOO_NARROW" })
  expect(await revoke(narrow.id, narrow.token)).toMatchObject({ apiToken: { id: narrow.id } })
  expect(await revoke(narrow.id, narrow.token)).toMatchObject({ status: 401 })
})

test("a token for a workspace that was deleted is for nothing", async () => {
  const { workspaceId } = await newWorkspace()
  const token = await tokenOf(admin, { workspaceId })
  await server.send("DELETE", `/api/v1/workspaces/${workspaceId}`)
  expect((await server.send("GET", "/api/v1/workspaces", { token })).body.workspaces).toEqual([])
})
