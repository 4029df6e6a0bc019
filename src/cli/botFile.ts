/** Reads a bot from a file, with or without a byte order mark. */
import { createReadStream } from "node:fs"
import { lintBot, readBot } from "../authoring/lint/lint.ts"
import { flowOfImport, readImport } from "../authoring/upgrade/importedBot.ts"
import { shortenBot } from "../authoring/upgrade/shortenBot.ts"
import type { Flow } from "../engine/bot.ts"
import { pickText } from "../lib/foreignJson.ts"
import { isMembers, type Members } from "../lib/json.ts"
import { notUtf8, readUtf8 } from "../lib/utf8.ts"
import { cleanJson } from "../routers/input.ts"
import { parseJson } from "./parseJson.ts"
import { withPositions } from "./position.ts"

export type BotFile = {
  text: string
  raw: unknown
}

/** Reads a file, or standard input for `-`. Throws a sentence if it is not JSON. */
export async function readBotFile(path: string): Promise<BotFile> {
  const text = (await readText(path)).replace(/^\uFEFF/, "")
  return { text, raw: cleanJson(parseJson(text)) }
}

/** Reads the flow of the bot in a file, as it is. Throws sentences that say what is wrong if there is none. */
export async function readFlowFile(path: string): Promise<Flow> {
  const file = await readBotFile(path)
  const flow = readBot(file.raw)
  if (flow === undefined) throw noBot(file)
  return flow
}

/** Reads the bot in a file as an import stores it, which is what the service runs. Throws the same. */
export async function readStoredBot(path: string): Promise<BotFile & { flow: Flow; name: string }> {
  const file = await readBotFile(path)
  const flow = storedFlow(file.raw)
  if (flow === undefined) throw noBot(file)
  return { ...file, flow, name: pickText(file.raw, "name") ?? "" }
}

/** The flow as an import stores it; undefined when this is no bot. */
export function storedFlow(raw: unknown): Flow | undefined {
  const read = readImport(raw)
  return read.success ? flowOfImport(shortenBot(read.data), createIds()) : undefined
}

/**
 * A file as a change of a draft: completed and brought up to date as by an import, but what it leaves out is
 * left out, and nothing is cut. Throws sentences that say what is wrong if it is no bot.
 */
export function draftIn(file: BotFile): Members {
  const { raw } = file
  const read = readImport(raw)
  if (!read.success || !isMembers(raw)) throw noBot(file)
  const { version, events, ...others } = flowOfImport(read.data, createIds())
  const sent = Object.entries(others).filter(([name]) => name in raw)
  return { ...raw, ...Object.fromEntries(sent), version, events }
}

/** The same ids for the same file, every time. */
function createIds(): () => string {
  let ids = 0
  return () => `new${++ids}`
}

function noBot({ raw, text }: BotFile): Error {
  const findings = withPositions(lintBot(raw), text).map(
    ({ place, message, line, column }) => `\n- ${line}:${column} ${place}: ${message}`,
  )
  return new Error(`The file is no bot:${findings.join("")}`)
}

async function readText(path: string): Promise<string> {
  try {
    return await readWhole(path)
  } catch (error) {
    if (error instanceof Error && !("code" in error)) throw error
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
    const reason =
      code === "ENOENT" ? `There is no file ${path}` : `The file ${path} cannot be read (${code})`
    throw new Error(reason, { cause: error })
  }
}

/** More than any bot has that a service takes, with room for the indents of its file. */
const maxBytes = 16_000_000

async function readWhole(path: string): Promise<string> {
  const what = path === "-" ? "The input" : `The file ${path}`
  const source = path === "-" ? process.stdin : createReadStream(path)
  const parts: Buffer[] = []
  let size = 0
  for await (const part of source as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new Error(`${what} is larger than ${maxBytes / 1_000_000} MB`)
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  return readUtf8(bytes, (position) => new Error(notUtf8(what, position)))
}
