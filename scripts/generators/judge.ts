/** Lets a generator make a client, and compares what the client saw and left with what it should. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { openApi } from "./api.ts"
import { expected, flowOf } from "./bots.ts"
import type { Generator, Place } from "./generator.ts"

/** What is judged, in order. */
export const steps = [
  "install",
  "generate",
  "compile",
  "chat",
  "results",
  "same bot",
  "unknown block",
]

/** How the steps ended, as far as they went, and what is to be said about it. */
export type Row = { name: string; outcomes: Outcome[]; notes: string[] }

/** `bug`: a known one of the generator; `missing`: the generator cannot be had here. */
type Outcome = "ok" | "fails" | "bug" | "missing"

/** The service that clients walk through. */
export type Walked = { address: string; token: string; document: string }

/** Works in a folder of its own, which stays when something fails. */
export async function judge(generator: Generator, service: Walked): Promise<Row> {
  const { address, document } = service
  const folder = await mkdtemp(join(tmpdir(), `parley-${generator.name.replaceAll(" ", "-")}-`))
  const place: Place = { folder, document, address }
  const row: Row = { name: `${generator.name} ${generator.version}`, outcomes: [], notes: [] }
  const made = await make(row, generator, place)
  if (made && (await walkBoth(row, { generator, place, service }))) {
    await rm(folder, { recursive: true, force: true })
  } else {
    row.notes.push(`Look into ${folder}`)
  }
  return row
}

async function make(row: Row, generator: Generator, place: Place): Promise<boolean> {
  const failure = await generator.install().then(() => undefined, wordsOf)
  row.outcomes.push(failure === undefined ? "ok" : "missing")
  if (failure !== undefined) row.notes.push(failure.trim().split("\n").at(-1) ?? "")
  if (failure !== undefined) return false
  for (const step of ["generate", "compile"] as const) {
    const words = await generator[step](place).then(() => undefined, wordsOf)
    if (words !== undefined) return fail(row, generator, words)
    row.outcomes.push("ok")
  }
  return true
}

type Walk = { generator: Generator; place: Place; service: Walked }

/** First through what the document knows, then with a block that it does not know. */
async function walkBoth(row: Row, { generator, place, service }: Walk): Promise<boolean> {
  const components = JSON.parse(await readFile(place.document, "utf8")).components.schemas
  let isFine = true
  for (const hasUnknownBlock of [false, true]) {
    const flow = flowOf(components, { hasUnknownBlock })
    const found = await walk({ generator, place, service }, flow)
    const counted = hasUnknownBlock ? found.slice(-1) : found
    for (const words of counted) {
      if (words === undefined) row.outcomes.push("ok")
      else isFine = fail(row, generator, words)
    }
  }
  return isFine
}

/** What is wrong with the chat, with the results and with the bot afterwards. */
async function walk(
  { generator, place, service }: Walk,
  flow: object,
): Promise<(string | undefined)[]> {
  const api = openApi(service.address, service.token)
  const { id, publicId } = await api.publish(flow)
  const readBot = async () => ({ ...(await api.call("GET", `/bots/${id}`)).bot, updatedAt: "" })
  const before = await readBot()
  const printed = await generator
    .walk(place, [service.address, publicId, id, service.token])
    .catch(wordsOf)
  const after = await readBot()
  const seen = readSeen(printed)
  if (seen === undefined) return [printed, printed, printed]
  const compared = [
    difference(expected.labels, seen.labels) + difference(expected.text, seen.text),
    difference(expected.answers, seen.answers),
    difference(expected.name, seen.name) + difference(before, after),
  ]
  return compared.map((words) => words || undefined)
}

/** What a walk printed last; undefined when it failed. */
function readSeen(printed: string): Partial<typeof expected> | undefined {
  try {
    return JSON.parse(printed.trim().split("\n").at(-1) ?? "")
  } catch {
    return undefined
  }
}

/** Where two values differ, with both; empty when they do not. */
function difference(wanted: unknown, found: unknown, path = ""): string {
  if (isDeepStrictEqual(wanted, found)) return ""
  if (!isTree(wanted) || !isTree(found)) {
    const [from, to] = [wanted, found].map((each) => JSON.stringify(each)?.slice(0, 200))
    return `${path || "/"} is ${to} instead of ${from}. `
  }
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
  const differences = names.map((name) => difference(wanted[name], found[name], `${path}/${name}`))
  return differences.filter(Boolean).slice(0, 5).join("")
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}

function fail(row: Row, { bugs = [] }: Generator, words: string): false {
  const known = bugs.find(({ sign }) => sign.test(words))
  row.outcomes.push(known ? "bug" : "fails")
  const note = known?.words ?? words.slice(0, 3_000)
  if (!row.notes.includes(note)) row.notes.push(note)
  return false
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
