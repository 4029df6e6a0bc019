/** Secrets in a shared bot: guests read it through every door, and copies leave its workspace, without them. */
import { readFileSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { lintBot } from "../../src/authoring/lint/lint.ts"
import { exportCommand } from "../../src/cli/export.ts"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { tools } from "../../src/mcp/tools.ts"
import { assistantAt } from "../support/assistants.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { withText } from "../support/fullBlocks.ts"
import { plantedBlocks } from "../support/plantedBlocks.ts"
import { run } from "../support/runCommand.ts"
import { answerTo } from "./answerTo.ts"
import { type Json, operations, resolved } from "./operations.ts"
import { requestFor } from "./requests.ts"
import {
  database,
  foreignWorkspaceId,
  newTarget,
  newWorkspace,
  server,
  tokens,
  workspaceId,
} from "./twoTenants.ts"

type Members = Record<string, unknown>
type Found = Members & { groups: unknown[] }

const planted = "PLANTED0123456789abcdefghij"

/** What authors write where a key is among other words. */
const forms = [
  `sk-proj-${planted}`,
  `{"page": "{{Page}}", "apiKey": "${planted}"}`,
  `https://a.example/?page=1&api_key=${planted}`,
  `fetch(url, { headers: { Cookie: "id=${planted}" } })`,
  `client_secret=${planted}&scope=all`,
]

let tried = 0

/** A value of a header or a query parameter gets the name of a secret, and needs no form of its own. */
function plantedAt(block: unknown, path: readonly (string | number)[]): unknown {
  const pair = path.slice(0, -1).reduce((at, key) => (at as Members)[key], block) as Members
  if (path.at(-1) !== "value" || !("key" in pair)) {
    return withText(block, path, forms[tried++ % forms.length] ?? "")
  }
  return withText(withText(block, [...path.slice(0, -1), "key"], "X-Api-Key"), path, planted)
}

const blocks = Object.entries(blockTypes)
  .flatMap(([type, { schema }]) => plantedBlocks(type, schema, plantedAt))
  .map((block, index) => ({ ...block, id: `b${index}` }))
const places = JSON.stringify(blocks).split(planted).length - 1
const shared = bot(group("A", say("Hi"), ask.text({ saves: "Password" })), group("All"))
const flow = {
  ...shared,
  name: "Shared",
  groups: shared.groups.map((each) => (each.title === "All" ? { ...each, blocks } : each)),
  variables: shared.variables.map((each) => ({ ...each, value: planted })),
  theme: { customCss: `a { background: url("https://a.example/?token=${planted}") }` },
  settings: { metadata: { customHeadCode: `<script>const secret = "${planted}"</script>` } },
}

const newBot = async (name: string) => {
  const sent = { body: { workspaceId, bot: { ...flow, name } } }
  const { body, status } = await server.send("POST", "/api/v1/bots/import", sent)
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200)
  return (body.bot as { id: string }).id
}
const botId = await newBot("Shared")
const settings = { ...flow.settings, publicShare: { isEnabled: true } }
// Other keys in the draft, so that comparisons with what is live would show both.
const groups = JSON.parse(JSON.stringify(flow.groups).replaceAll(planted, `${planted}2`))
for (const [method, path, body] of [
  ["POST", "publish", {}],
  ["PATCH", "", { bot: { groups, settings } }],
] as const) {
  const made = await server.send(method, `/api/v1/bots/${botId}/${path}`.replace(/\/$/, ""), {
    body,
  })
  expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200)
}

const token = tokens.onlooker
const target = { ...(await newTarget()), botId }

test("the linter names a secret in each place of the flow", () => {
  const found = lintBot(flow).filter(({ rule }) => rule === "secret-in-clear")
  expect(places).toBeGreaterThan(300)
  expect(found.length).toBe(places + 3)
})

/** Whether a schema leads to the blocks of a flow, to changes of one, or to findings about one. */
function showsFlow(schema: Json, seen = new Set<Json>()): boolean {
  const read = resolved(schema)
  if (seen.has(read)) return false
  seen.add(read)
  const { $ref } = schema as { $ref?: string }
  if (/\/(?:Group|FlowChange|Finding|BotEdit)$/.test($ref ?? "")) return true
  return Object.values(read).some(
    (member) => typeof member === "object" && member !== null && showsFlow(member as Json, seen),
  )
}

const document = JSON.parse(readFileSync("openapi.json", "utf8"))
const showing = operations.filter(({ path, method }) => {
  const { responses } = document.paths[path][method.toLowerCase()]
  return showsFlow(responses["200"] ?? {})
})
const ofBots = operations.filter(({ path, admits }) => {
  return path.includes("{botId}") || admits.includes("botViewers")
})

test.each(
  [...new Set([...showing, ...ofBots])]
    .filter(({ method, id }) => method !== "DELETE" && id !== "streamMessage")
    .map((operation) => [operation.id, operation] as const),
)("%s answers guests without any", async (id, operation) => {
  const admission = operation.admits.includes("botViewers") ? "botViewers" : operation.admits[0]
  const { method, path, body } = requestFor(operation, admission ?? "botViewers", target)
  const inOwn = { workspaceId: foreignWorkspaceId }
  const sent = id === "duplicateBot" ? { ...inOwn } : body
  const { status, text } = await answerTo(server.address + path, { method, token, body: sent })
  expect(text).not.toContain(planted.slice(0, 12))
  if (admission === "botViewers" || id === "duplicateBot") expect(status, text).toBe(200)
})

test("the operations that show guests a flow are among them", () => {
  const ids = showing.map((each) => each.id)
  const known = ["getBot", "getPublishedBot", "duplicateBot", "lintBot", "diffVersions"]
  expect(ids).toEqual(expect.arrayContaining([...known, "importBot", "getVersion"]))
})

test("assistants of guests read none, with any tool or resource", async () => {
  const assistant = await assistantAt(server.address, token)
  const heard: string[] = []
  for (const { name, effect } of tools) {
    if (effect !== "reads") continue
    const { text, whole } = await assistant.use(name, { botId }).catch(String).then(asAnswer)
    heard.push(`${name} ${text} ${JSON.stringify(whole)}`)
  }
  const uri = `parley://bots/${botId}`
  heard.push(JSON.stringify(await assistant.client.readResource({ uri })))
  expect(heard.join("\n")).toContain("•••")
  expect(heard.join("\n")).not.toContain(planted.slice(0, 12))
})

const asAnswer = (answer: unknown) =>
  typeof answer === "string" ? { text: answer, whole: {} } : (answer as Members)

test("a guest exports and imports a file without any", async () => {
  vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
  vi.stubEnv("PARLEY_TOKEN", token)
  const { out, err, code } = await run(exportCommand, botId)
  expect([err, code]).toEqual(["", 0])
  expect(out).toContain("•••")
  expect(out).not.toContain(planted.slice(0, 12))
  const body = { workspaceId: foreignWorkspaceId, bot: JSON.parse(out) }
  const { status, body: made } = await server.send("POST", "/api/v1/bots/import", { token, body })
  expect(status).toBe(200)
  expect(rulesIn(made.warnings)).toEqual(["missing-secret"])
})

const rulesIn = (findings: unknown) => [...new Set((findings as Members[]).map(({ rule }) => rule))]

/** What the database has of a bot. */
async function stored(id: string): Promise<string> {
  const { rows } = await database.pool.query("select b::text as row from bots b where id = $1", [
    id,
  ])
  return rows[0].row
}

test("copies in other workspaces lack them and say where; at home they keep them", async () => {
  const { workspaceId: other } = await newWorkspace()
  const copies = await Promise.all([
    server.send("POST", `/api/v1/bots/${botId}/duplicate`, { body: { workspaceId: other } }),
    server.send("POST", "/api/v1/bots/import", {
      body: { workspaceId: other, bot: { ...flow, id: botId } },
    }),
  ])
  for (const { status, body } of copies) {
    expect(status).toBe(200)
    const { id, groups } = body.bot as Found & { id: string }
    const warnings = body.warnings as { rule: string; pointer: string }[]
    const named = warnings.filter(({ rule }) => rule === "missing-secret")
    expect(named.length).toBe(Math.min(500, places + 3))
    for (const { pointer } of named.slice(0, 100))
      expect(at({ ...flow, groups }, pointer)).toContain("•••")
    expect(await stored(id)).not.toContain(planted.slice(0, 12))
  }
  const home = await server.send("POST", `/api/v1/bots/${botId}/duplicate`, { body: {} })
  expect(home.body).not.toHaveProperty("warnings")
  expect(JSON.stringify(home.body)).toContain(planted)
})

const at = (root: unknown, pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .reduce((value, key) => (value as Members)[key], root)
