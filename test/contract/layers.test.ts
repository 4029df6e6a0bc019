/** Who may import whom: one table for every file of `src`, types included, and no circles. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/** What every room but the engine may import. */
const forAll = ["lib", "telemetry"]

/** What runs chats and keeps bots. */
const belowChats = ["effects", "db", "authoring", "engine", ...forAll]

/** What procedures call. */
const belowRouters = ["workshop", "bots", "results", "chat", "people", ...belowChats]

/** Each room of `src`, and what it may import besides itself: rooms, or single files. */
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  telemetry: [],
  engine: ["lib"],
  authoring: ["engine", "lib"],
  postgres: ["lib"],
  db: ["engine", "postgres", ...forAll],
  effects: ["db", "authoring", "engine", ...forAll],
  workshop: ["effects", "authoring", "engine", ...forAll],
  chat: belowChats,
  bots: belowChats,
  results: ["effects", "db", "engine", ...forAll],
  people: ["effects", "db", "engine", ...forAll],
  routers: belowRouters,
  mcp: ["routers", "people", "workshop", "authoring", "lib"],
  http: ["mcp", "routers", ...belowRouters],
  jobs: ["bots", "results", "chat", "people", ...belowChats],
  app: ["jobs", "http", "routers", "postgres", ...belowRouters],
  cli: [
    "app",
    "workshop",
    "results",
    "people",
    "routers",
    "postgres",
    ...belowChats,
    "client.ts",
    "../package.json",
  ],
  "client.ts": ["client", "routers/app.ts"],
  client: [
    "routers/app.ts",
    "lib/inOrder.ts",
    "engine/edit/applyEdits.ts",
    "engine/edit/conflicts.ts",
    "engine/edit/editsBetween.ts",
    "engine/edit/elementsOf.ts",
    "engine/edit/rebaseEdits.ts",
  ],
  pages: ["client.ts", "lib/languages.ts", "lib/writtenNumber.ts"],
}

/** The parts of the engine, files beside folders: each may import those before it. */
const partsOfEngine: readonly (readonly string[])[] = [
  ["schema", "payload.ts", "records.ts", "shown.ts", "texts.ts"],
  ["allowedHosts.ts", "mimeTypes.ts", "silence.ts"],
  ["calls.ts", "budget"],
  ["regex", "variables"],
  ["richText", "conditions.ts"],
  ["blocks"],
  ["bot.ts", "chatInput.ts"],
  ["edit"],
  ["session.ts"],
  ["turn"],
  ["recorded"],
  ["analytics"],
]

/** All that the rest of the product may import of blocks: none of it knows a single type. */
const seenOfBlocks = ["engine/blocks/registry.ts", "engine/blocks/block.ts"]

/** Variables that only mean something to the system or to Node, not to Parley. */
const systemVariables: Record<string, readonly string[]> = {
  // Only in the code that it writes.
  "http/openapi/codeSamples.ts": [],
  "postgres/binaries.ts": ["PATH"],
  "postgres/launchServer.ts": ["PATH", "SystemRoot"],
}

const src = fileURLToPath(new URL("../../src", import.meta.url))
const product = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
const sources = new Map(product.map((path) => [path, readFileSync(join(src, path), "utf8")]))
const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]))

it("the code is found", () => {
  expect(product.length).toBeGreaterThan(300)
})

it("every room is in the table, and every part of the engine", () => {
  expect([...new Set(product.map(roomOf))].sort()).toEqual(Object.keys(mayImport).sort())
  expect(product.filter((path) => roomOf(path) === "engine" && rankOf(path) === -1)).toEqual([])
})

it("files import what the table allows", () => {
  const breaches = [...imports].flatMap(([path, targets]) =>
    targets.filter((target) => !mayFileImport(path, target)).map((each) => `${path} → ${each}`),
  )
  expect(breaches).toEqual([])
})

it("no file imports itself by way of others", () => {
  expect(circlesOf(imports)).toEqual([])
})

it("the engine reaches only pure files of the ground floor", () => {
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const each of imports.get(path) ?? []) visit(each)
  }
  const pure = product.filter((path) => /^(?:engine|authoring)\//.test(path))
  for (const path of pure) visit(path)
  const ground = [...reached].filter((path) => roomOf(path) === "lib")
  const impure =
    /from "(?![./]|zod")|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\b|\bfetch\(|\bawait\b/
  expect(ground).toContain("lib/errors.ts")
  expect(ground.filter((path) => impure.test(sources.get(path) ?? ""))).toEqual([])
})

it("what reads results runs no flow", () => {
  const readers = product.filter((path) =>
    /^(engine\/recorded|results(?!\/replay)|routers\/result)\//.test(path),
  )
  // An edge leads somewhere without anybody walking; of turns there is the type.
  const harmless = ["engine/turn/places.ts", "engine/turn/run.ts"]
  const runs = readers.flatMap((path) =>
    (imports.get(path) ?? [])
      .filter(
        (target) =>
          /^(engine\/turn\/|effects\/(sandbox\/|scripts|perform))/.test(target) &&
          !harmless.includes(target),
      )
      .map((target) => `${path} → ${target}`),
  )
  expect(readers).toContain("engine/recorded/rebuildConversation.ts")
  expect(runs).toEqual([])
})

/** They refuse what would not undo itself: a version without room, a backup that lies. */
const refusing = ["db/backup/writeTables.ts", "db/bots/versionQuota.ts"]

it("queries refuse nothing, and know neither the time nor the caller", () => {
  const thinking =
    /\bDate\.now\b|\bnew Date\b(?!\([^)])|\bperformance\.|\bhrtime\b|\bset(?:Timeout|Interval)\b|\bhasLeft\b/
  const queries = product.filter((path) => /^db\/(?!connection\/)/.test(path))
  const refusals = queries.filter((path) => imports.get(path)?.includes("lib/errors.ts"))
  expect(refusals.sort()).toEqual(refusing)
  expect(queries.filter((path) => thinking.test(sources.get(path) ?? ""))).toEqual([])
})

/** What a job runs, and the queries of those that hold claims and make deliveries by themselves. */
const seenByJobs = /^db\/(?:jobs\/jobs|events\/\w+|connection\/(?:openDatabase|transactions))\.ts$/

it("jobs say when they run: what they do is in other rooms", () => {
  const queries = [...imports].flatMap(([path, targets]) =>
    roomOf(path) !== "jobs"
      ? []
      : targets.filter((target) => roomOf(target) === "db" && !seenByJobs.test(target)),
  )
  expect(queries).toEqual([])
})

it("only the configuration reads the environment", () => {
  const readers = product.filter((path) => /\bprocess\.env\b/.test(sources.get(path) ?? ""))
  const entries = ["app/server.ts", "cli/command.ts", "cli/main.ts"]
  expect(readers.filter((path) => !entries.includes(path)).sort()).toEqual(
    Object.keys(systemVariables).sort(),
  )
  for (const [path, names] of Object.entries(systemVariables)) {
    expect(variablesIn(sources.get(path) ?? ""), path).toEqual(names)
  }
})

it.each([
  ["telemetry/log.ts", "engine/bot.ts", false],
  ["engine/bot.ts", "lib/errors.ts", true],
  ["engine/bot.ts", "telemetry/log.ts", false],
  ["engine/bot.ts", "db/bots/bots.ts", false],
  ["engine/bot.ts", "engine/session.ts", false],
  ["engine/turn/turn.ts", "engine/turn/walk.ts", true],
  ["engine/bot.ts", "authoring/lint/lint.ts", false],
  ["authoring/lint/lint.ts", "engine/bot.ts", true],
  ["authoring/lint/lint.ts", "db/bots/bots.ts", false],
  ["engine/schema/edge.ts", "engine/blocks/registry.ts", false],
  ["db/bots/bots.ts", "effects/perform.ts", false],
  ["effects/perform.ts", "chat/startChat.ts", false],
  ["effects/perform.ts", "engine/blocks/logic/wait/block.ts", false],
  ["chat/startChat.ts", "engine/blocks/registry.ts", true],
  ["chat/startChat.ts", "routers/app.ts", false],
  ["routers/app.ts", "http/rest/rest.ts", false],
  ["mcp/callTool.ts", "people/grants.ts", true],
  ["mcp/callTool.ts", "db/bots/bots.ts", false],
  ["http/rest/rest.ts", "app/config.ts", false],
  ["http/rest/rest.ts", "chat/chat.ts", true],
  ["jobs/job.ts", "routers/app.ts", false],
  ["authoring/types/typesOfBot.ts", "engine/bot.ts", true],
  ["authoring/types/typesOfBot.ts", "db/bots/bots.ts", false],
  ["client.ts", "routers/trpc.ts", false],
  ["client.ts", "engine/edit/applyEdits.ts", false],
  ["client/edit.ts", "engine/edit/applyEdits.ts", true],
  ["pages/chat/payload.ts", "client.ts", true],
  ["pages/chat/payload.ts", "routers/app.ts", false],
  ["http/pages/chatPage.ts", "pages/chat/embed.ts", false],
])("%s → %s: %s", (path, target, isFine) => {
  expect(mayFileImport(path, target)).toBe(isFine)
})

it("circles are found, those of types among them", () => {
  const found = circlesOf(
    new Map([
      ["a.ts", importsOf("a.ts", 'import type { B } from "./b.ts"')],
      ["b.ts", importsOf("b.ts", 'export { c } from "./c.ts"')],
      ["c.ts", importsOf("c.ts", 'export const a = () => import("./a.ts")')],
      ["d.ts", importsOf("d.ts", 'import { type A } from "./a.ts"')],
    ]),
  )
  expect(found).toEqual(["a.ts → b.ts → c.ts → a.ts"])
})

function roomOf(path: string): string {
  return path.split("/")[0] ?? ""
}

function mayFileImport(path: string, target: string): boolean {
  const room = roomOf(path)
  const allowed = [room, ...(mayImport[room] ?? [])]
  if (!allowed.includes(target) && !allowed.includes(roomOf(target))) return false
  // Linters read what types declare of themselves.
  if (room === "authoring" && target === "engine/blocks/declared.ts") return true
  if (room === "engine" && roomOf(target) === "engine") return rankOf(target) <= rankOf(path)
  return !target.startsWith("engine/blocks/") || seenOfBlocks.includes(target)
}

/** The place of a file's part in the order of the engine; -1: it belongs to none. */
function rankOf(path: string): number {
  const inside = path.slice("engine/".length)
  const exact = partsOfEngine.findIndex((parts) => parts.includes(inside))
  return exact === -1 ? partsOfEngine.findIndex((parts) => parts.includes(roomOf(inside))) : exact
}

/** The files of `src` that a file imports or exports from, by paths from `src`; not those of examples in comments. */
function importsOf(path: string, text: string): string[] {
  const found = text
    .replaceAll(/^ *\*.*$/gm, "")
    .matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"(\.[^"]+)"/g)
  return [...found].map(([, target = ""]) =>
    relative(src, resolve(src, dirname(path), target)).replaceAll("\\", "/"),
  )
}

/** Names of the variables of the environment that a text reads. */
function variablesIn(text: string): string[] {
  const direct = [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name = ""]) => name)
  const taken = [...text.matchAll(/\{([^{}]*)\} = process\.env\b/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  )
  return [...new Set([...direct, ...taken])].sort()
}

/** Each circle once, from its first file in the order of the alphabet. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>()
  const done = new Set<string>()
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start !== -1) circles.add(inOrder(trail.slice(start)))
    if (start !== -1 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return [...circles]
}

function inOrder(circle: readonly string[]): string {
  const first = [...circle].sort()[0] ?? ""
  const start = circle.indexOf(first)
  return [...circle.slice(start), ...circle.slice(0, start), first].join(" → ")
}
