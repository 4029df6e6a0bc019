/** Lists page by page over rows that are alike: equal names and times do not lose or repeat any at a border. */
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const db = await testDatabase()
const server = await testServer({ DATABASE_URL: db.url })
const { botId } = await publishBot(server, bot(group("A", say("Hi"))))
const found = await server.send("GET", "/api/v1/workspaces")
const [{ id: workspaceId } = { id: "" }] = found.body.workspaces as { id: string }[]
const me = await server.send("GET", "/api/v1/users/me")
const { id: userId } = me.body as { id: string }

const rows = 120
const same = "'2026-01-01 12:00'::timestamptz"
/** UUIDs of one millisecond. */
const uuid = "('019b0000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid"

/** Adds so many rows; `i` counts them, `b` is the bot and `w` the workspace. */
const fill = (insertion: string) =>
  db.pool.query(
    `insert into ${insertion} from generate_series(1, ${rows}) i,
      (select '${botId}'::text as b, '${workspaceId}'::text as w, '${userId}'::text as u) own`,
  )

const bots = (of: string) =>
  fill(`bots (id, workspace_id, version, name, created_at, updated_at)
    select '${of}' || i, ${of === "own" ? "w" : "'other'"}, '6.1', 'Same', ${same}, ${same}`)
const files = (of: string) =>
  fill(`author_files (id, workspace_id, bot_id, key, name, bytes, created_at)
    select md5('${of}' || i), w, ${of}, '${of}' || i, 'same.png', 1, ${same}`)
const results = () =>
  fill(`results (result_id, bot_id, version_id, has_started, last_chat_session_id, created_at)
    select ${uuid}, b, gen_random_uuid(), true, 'session', ${same}`)

/** How a list comes to its rows, and the addresses under which it shows them. */
const lists: Record<string, { fill: () => Promise<unknown>; paths: string[] }> = {
  listAuditLog: {
    fill: () =>
      fill(`audit_log (id, workspace_id, operation, target, created_at)
        select ${uuid}, w, 'updateBot', '{}', ${same}`),
    paths: [`/workspaces/${workspaceId}/auditLog`],
  },
  listBots: {
    fill: () => bots("own"),
    paths: ["createdAt", "updatedAt", "name"].map(
      (sort) => `/bots?workspaceId=${workspaceId}&search=Same&sort=${sort}`,
    ),
  },
  listEdits: {
    fill: () =>
      fill(`bot_edits (bot_id, revision, kind, edits, inverses, elements, bytes, created_at)
        select b, 100 + i, 'edit', '[]', '[]', '[]', 1, ${same}`),
    paths: [`/bots/${botId}/edits`],
  },
  listVersions: {
    fill: () =>
      fill(`bot_versions (id, bot_id, number, schema_version, content_hash, payload, created_at)
        select ${uuid}, b, 100 + i, '6.1', sha256(i::text::bytea), '{}', ${same}`),
    paths: [`/bots/${botId}/versions`],
  },
  listPublications: {
    // Two of a bot are never at once.
    fill: () =>
      fill(`publications (bot_id, at, kind)
        select b, ${same} + make_interval(secs => i / 1000.0), 'unpublish'`),
    paths: [`/bots/${botId}/publications`],
  },
  listResults: { fill: results, paths: [`/bots/${botId}/results?timeFilter=allTime`] },
  listConversations: {
    fill: async () => {
      await results()
      await fill(`conversations (key_id, bot_id, key, result_id, session_id, created_at)
        select gen_random_uuid(), b, 'key' || i, ${uuid}, 'session', ${same}`)
    },
    paths: [`/bots/${botId}/conversations`],
  },
  listBotFiles: { fill: () => files("b"), paths: [`/bots/${botId}/files`] },
  listWorkspaceFiles: {
    fill: () => files("null"),
    paths: [`/workspaces/${workspaceId}/files`],
  },
  listWebhookDeliveries: {
    fill: async () => {
      await db.pool.query(
        `insert into webhook_endpoints (id, workspace_id, url, types, data, nonce, key_id, is_enabled)
        values ('e', '${workspaceId}', 'https://a.example', '{x}', 'x', 'twelve bytes', 1, false)`,
      )
      await fill(`deliveries (endpoint_id, id, event_id, result_id, type, body, created_at)
        select 'e', ${uuid}, gen_random_uuid(), gen_random_uuid(), 'answer.submitted', '{}', ${same}`)
    },
    paths: [`/workspaces/${workspaceId}/webhookEndpoints/e/deliveries`],
  },
  listSharedBots: {
    fill: async () => {
      await db.pool.query("insert into workspaces (id, name) values ('other', 'Other')")
      await bots("shared")
      await fill(`bot_collaborators (bot_id, user_id, type, created_at)
        select 'shared' || i, u, 'READ', ${same}`)
    },
    paths: ["/users/me/bots"],
  },
  listAllUsers: {
    fill: () =>
      fill(`users (id, email, created_at) select 'same' || i, i || '@example.com', ${same}`),
    paths: ["/operator/users"],
  },
  listAllWorkspaces: {
    fill: () => fill(`workspaces (id, name, created_at) select 'same' || i, 'Same', ${same}`),
    paths: ["/operator/workspaces"],
  },
  listAllBots: {
    fill: () =>
      fill(`bots (id, workspace_id, version, name, created_at, updated_at)
        select 'any' || i, w, '6.1', 'Any', ${same}, ${same}`),
    paths: ["/operator/bots?search=Any"],
  },
  listDecisions: {
    fill: () =>
      fill(`audit_log (id, workspace_id, operation, target, created_at, is_by_operator)
        select gen_random_uuid(), w, 'decideBot', '{}', ${same}, true`),
    paths: ["/operator/decisions"],
  },
}

/** These take their cursor in a body, and go on from an id that no two results share. */
const walks = ["eraseData", "replayResults"]

test("every list with a cursor has its rows here", async () => {
  const { paths, components } = JSON.parse(await readFile("openapi.json", "utf8")) as Document
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const withCursor = operations.filter(({ parameters = [], requestBody }) => {
    const names = parameters.map(({ $ref, name }) => {
      return name ?? components.parameters[$ref?.split("/").at(-1) ?? ""]?.name
    })
    return names.includes("cursor") || JSON.stringify(requestBody ?? {}).includes('"cursor"')
  })
  const ids = withCursor.map(({ operationId }) => operationId)
  expect(ids.sort(), "add rows of the list to `lists` in this file").toEqual(
    [...Object.keys(lists), ...walks].sort(),
  )
})

type Parameter = { $ref?: string; name?: string }
type Operation = { operationId: string; parameters?: Parameter[]; requestBody?: object }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

test.each(Object.entries(lists))("%s shows each of 120 equal rows once", async (_, list) => {
  await db.pool.query("truncate results, conversations")
  await list.fill()
  for (const path of list.paths) {
    for (const limit of [7, 60]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) })
        const at = `/api/v1${path}${path.includes("?") ? "&" : "?"}${query}`
        const { status, body } = await server.send("GET", at)
        expect(status, JSON.stringify(body)).toBe(200)
        const page = Object.values(body).find(Array.isArray) ?? []
        seen.push(...page.map((row) => JSON.stringify(row)))
        cursor = body.nextCursor as string | undefined
      } while (cursor !== undefined)
      expect([path, new Set(seen).size]).toEqual([path, seen.length])
      expect(seen.length).toBeGreaterThanOrEqual(rows)
    }
  }
})
