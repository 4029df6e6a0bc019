/**
 * No place that comes back from a caller is believed: every operation, with another tenant's thing at
 * every place that names one, and the caller's own things at all others.
 */
import { expect, test } from "vitest"
import type { Chat } from "../../src/chat/chat.ts"
import { readChat } from "../../src/results/readChat.ts"
import { callsWith, ownCalls, places } from "./ownCalls.ts"
import {
  type Asked,
  type Document,
  document,
  type Place,
  placesOf,
  type Route,
  routesOf,
} from "./places.ts"
import {
  callAs,
  makeThings,
  revisionOf,
  serverFor,
  type Tenant,
  type Things,
} from "./tenantThings.ts"
import {
  database,
  foreignWorkspaceId,
  holdings,
  marker,
  tokens,
  workspaceId,
} from "./twoTenants.ts"

/** With more versions than the caller's bots ever have, so that a number of theirs is none of its own. */
const victim: Tenant = { workspaceId, token: tokens.admin, word: marker, versions: 20 }
const caller: Tenant = {
  ...{ workspaceId: foreignWorkspaceId, token: tokens.stranger, word: "Mine", versions: 2 },
}
const theirs = await makeThings(victim)
/** Made anew when an operation has used them up, as a deletion does. */
let mine = await makeThings(caller)
const beside = await makeThings(caller)

/** Places of which the matrix tries nothing. */
const untried = new Set<Place["kind"]>([
  "cursor",
  "opensByItself",
  "partOfFlow",
  "elsewhere",
  "compared",
])
const tried = places.filter(({ kind }) => !untried.has(kind))
const routes = routesOf(document).filter(
  ({ id, isHidden }) => !isHidden && tried.some(({ operation }) => operation === id),
)

/** Kinds of names that callers choose, and parts of chats and files that are looked for in one's own. */
const chosen = new Set<Place["kind"]>([
  "key",
  "idempotencyKey",
  "changeId",
  "replyId",
  "fileFolder",
  "fileName",
])
/** Things of others that are left out, looked for in vain or replaced by a new one. */
const passedOver = [
  /^(importBot|createBot|startPreviewChat) bot\./,
  /^updateBot bot\.(groups|selectedThemeTemplateId)/,
  /^editBot edits\.\[\]\.(group\.|block\.|selectedThemeTemplateId)/,
  /^(listBots folderId|checkPublicId publicId|deleteResults resultIds)$/,
  /^(startChat resultId|startPreviewChat sessionId|fetchWebhookEvents (listenerId|fetched))$/,
]
/** Whether the call is answered as if nothing had been named; all others are refused. */
const isPassedOver = ({ operation, way, kind }: Place) =>
  chosen.has(kind) || passedOver.some((each) => each.test(`${operation} ${way.join(".")}`))

/**
 * Whether a row of the caller's may hold the id afterwards: a number says nothing by itself, and names
 * of one's own stay one's own whoever else has them. In drafts they stand as text: nothing reads a theme
 * by it, and a link enters no bot of others. A preview runs what was sent; its chat finds no credential
 * that is not of the caller's workspace.
 */
function mayBeKept({ operation, way, kind }: Place): boolean {
  const isPreviewed = operation === "startPreviewChat" && way[0] === "bot"
  const isText = /selectedThemeTemplateId$|block(s\.\[\])?\.options\.(typebotId|botId)$/
  const isName = /^(number|key|idempotencyKey|changeId)$/.test(kind)
  return isPreviewed || isName || isText.test(way.join("."))
}

const combinations = routes.flatMap((route) => callsOf(route, mine))

test(`${combinations.length} calls with things of others are made of ${routes.length} operations`, () => {
  expect(combinations.length).toBeGreaterThanOrEqual(tried.length)
})

test.each(
  routes.map((each) => [each.id, each] as const),
)("%s believes no place", async (_, route) => {
  if ((await tryPlaces(route, mine)).length === 0) return
  mine = await makeThings(caller)
  expect(await tryPlaces(route, mine), "the own calls prove nothing").toEqual([])
})

/** Tries all places of an operation. Returns the own calls that are refused, so that nothing is proven. */
async function tryPlaces(route: Route, own: Things): Promise<string[]> {
  const before = await holdings()
  const elsewhere = await heldElsewhere()
  const calls = callsOf(route, own).map(({ place, asked }) => ({
    ...{ place, asked, id: foreignId(place), mayKeep: mayBeKept(place) },
  }))
  const told: string[] = []
  const attempt = async ({ place, asked, id }: (typeof calls)[number]) => {
    const entries = await auditEntries()
    const { status, text } = await callAs(caller, route, asked)
    const line = `${route.method} ${asked.path} with ${place.way.join(".")} ${id}: ${status} ${text}`
    told.push(line.slice(0, 500))
    expect(status, line).toBeLessThan(500)
    if (!isPassedOver(place)) expect(status, line).toBeGreaterThanOrEqual(400)
    if (status >= 400) expect(await auditEntries(), `${line} is in the audit log`).toBe(entries)
    // What was sent may come back; what lies in the other workspace may not.
    expect(text.replaceAll(id, ""), line).not.toContain(marker)
  }
  const lost = calls.filter(({ mayKeep }) => !mayKeep)
  const ids = [...new Set(lost.map(({ id }) => id))]
  const keptBefore = await rowsWith(ids)
  for (const call of lost) await attempt(call)
  expect(await rowsWith(ids), told.join("\n")).toEqual(keptBefore)
  for (const call of calls) if (call.mayKeep) await attempt(call)
  expect(await holdings(), told.join("\n")).toEqual(before)
  const refused: string[] = []
  for (const asked of ownCalls(route, { ...own, revision: await revisionOf(own) })) {
    const { status, text } = await callAs(caller, route, asked)
    if (status >= 400) refused.push(`${asked.path}: ${text}`)
  }
  // Nor does the own call touch what is not the caller's; it may revoke a token of their own.
  expect({ ...(await holdings()), tokens: before.tokens }).toEqual(before)
  expect(await heldElsewhere()).toEqual(elsewhere)
  return refused
}

/** How many entries the audit logs of both have together. */
async function auditEntries(): Promise<number> {
  const { rows } = await database.pool.query("select count(*)::int as count from audit_log")
  return rows[0].count
}

test("ids that no schema names are not read from bodies", async () => {
  const as = serverFor(caller)
  const before = await holdings()
  const bot = { id: theirs.botId, workspaceId, name: "Mine" }
  const path = `/api/v1/bots/${mine.botId}`
  const changed = await as.send("PATCH", path, { body: { bot } })
  const made = await as.send("POST", "/api/v1/bots", {
    body: { workspaceId: foreignWorkspaceId, bot },
  })
  for (const { body } of [changed, made]) {
    const { id, workspaceId: of } = body.bot as { id: string; workspaceId: string }
    expect({ isTheirs: id === theirs.botId, of }).toEqual({
      isTheirs: false,
      of: foreignWorkspaceId,
    })
  }
  expect(await holdings()).toEqual(before)
})

test("a turn that names a result of others reveals nothing of it", async () => {
  const { botId, resultId } = mine
  // As if the chat had been in linked bots, one of them of another workspace.
  const shown = [{ r: theirs.resultId }, { r: beside.resultId }]
  const step = "insert into result_steps (result_id, step, shown) values ($1, 99, $2)"
  await database.pool.query(step, [resultId, JSON.stringify(shown)])
  const chat = { snapshots: { load: async () => undefined } } as unknown as Chat
  const { turns } = await readChat({ db: database, chat }, { botId, resultId })
  expect(turns.flatMap(({ linked }) => [...(linked?.keys() ?? [])])).toContain(beside.resultId)
  expect(JSON.stringify(turns)).not.toContain(marker)
})

test("a new operation is in the matrix, and one that names something new is refused in words", () => {
  const added = (name: string): Document => ({
    components: document.components,
    paths: {
      "/api/v1/things": {
        get: { operationId: "getThing", parameters: [{ in: "query", name, schema: {} }] },
      },
    },
  })
  expect(placesOf(added("botId"))).toEqual([
    { operation: "getThing", in: "query", way: ["botId"], kind: "botId" },
  ])
  expect(() => placesOf(added("thingIds"))).toThrow(
    /Add each name to `kinds`.*getThing: thingIds \(query\)/,
  )
  const [route] = routesOf(added("botId"))
  const [place] = placesOf(added("botId"))
  if (!route || !place) throw new Error("There is nothing to try")
  expect(() => callsWith(route, mine, { place, id: "x" })).toThrow("add it in ownCalls.ts")
})

function callsOf(route: Route, own: Things): { place: Place; asked: Asked }[] {
  return tried
    .filter(({ operation }) => operation === route.id)
    .flatMap((place) =>
      callsWith(route, own, { place, id: foreignId(place) }).map((asked) => ({ place, asked })),
    )
}

function foreignId({ kind }: Place): string {
  const id = kind in theirs ? theirs[kind as keyof Things] : undefined
  if (typeof id !== "string" || id === "") throw new Error(`The other tenant has no ${kind}`)
  return id
}

async function heldElsewhere() {
  const { sharedWorkspaceId, joinedWorkspaceId, spareWorkspaceId } = theirs
  const all = [sharedWorkspaceId, joinedWorkspaceId, spareWorkspaceId]
  const held = await Promise.all(all.map((id) => holdings(id)))
  return held.map(({ tokens: _, ...tables }) => tables)
}

/** Jobs write them at their own times. */
const ofJobs = [
  "jobs",
  "workspace_usage",
  "usage_hours",
  "model_usage",
  "analytics_days",
  "analytics_counts",
  "analytics_voids",
]

/** How many rows of each table hold which id, wherever they do. Each row is written as text once. */
async function rowsWith(ids: readonly string[]): Promise<Record<string, string>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> all($1) order by 1`,
    [ofJobs],
  )
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, id, count(*) as count
      from (select t::text as row from ${name} t offset 0) rows
      join unnest($1::text[], $2::text[]) as ids (id, pattern)
        on strpos(row, id) > 0 and row ~ pattern
      group by id`,
  )
  // As a whole: `test-1` is no part of `test-10`, of which rows come and go.
  const patterns = ids.map((id) => `(^|[^[:alnum:]-])${id}([^[:alnum:]-]|$)`)
  const { rows } = await database.pool.query<{ name: string; id: string; count: string }>(
    counts.join(" union all "),
    [ids, patterns],
  )
  return Object.fromEntries(rows.map(({ name, id, count }) => [`${name} ${id}`, String(count)]))
}
