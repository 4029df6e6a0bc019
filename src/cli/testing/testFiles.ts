/** Finds and reads test files and bots on a disk whose contents are not trusted. */
import { createReadStream, type Dirent, type Stats } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { buffer as readAll } from "node:stream/consumers"
import { lintBot } from "../../authoring/lint/lint.ts"
import type { Flow } from "../../engine/bot.ts"
import { cut } from "../../lib/cut.ts"
import { notUtf8, readUtf8 } from "../../lib/utf8.ts"
import { cleanJson } from "../../routers/input.ts"
import type { Mistake } from "../../workshop/files/readTestFile.ts"
import { storedFlow } from "../botFile.ts"
import { NoJson, parseJson } from "../parseJson.ts"
import { withPositions } from "../position.ts"

/** Largest file, in bytes: an import takes no larger bot. */
const maxBytes = 16_000_000
const maxFiles = 10_000

const isTestFile = /\.test\.(?:ya?ml|json)$/

/** The files that were named, and those in the folders that were named. */
export async function findTestFiles(named: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of named.length === 0 ? ["."] : named) {
    if (!(await facts(path)).isDirectory()) found.push(path)
    else for (const each of await filesIn(path)) found.push(each)
    if (found.length > maxFiles)
      throw new Error(`There are more than ${maxFiles} test files: name a folder with fewer.`)
  }
  return [...new Set(found)]
}

/** In the order of their names. What is hidden or installed holds no tests of one's own; links are not followed. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = next
    const entries = (await readdir(inside, { withFileTypes: true })).filter(isVisible)
    const path = ({ name }: Dirent) => (inside === "." ? name : join(inside, name))
    found.push(...entries.filter((each) => each.isFile() && isTestFile.test(each.name)).map(path))
    waiting.push(...entries.filter((each) => each.isDirectory()).map(path))
  }
  return found.toSorted()
}

function isVisible({ name }: Dirent): boolean {
  return !name.startsWith(".") && name !== "node_modules"
}

/** The text of a file, without a byte order mark. Rejects with a sentence. */
export async function readTextFile(path: string): Promise<string> {
  const found = await facts(path)
  if (!found.isFile()) throw new Error(`${path} is not a file`)
  if (found.size > maxBytes) {
    throw new Error(`The file ${path} is larger than ${maxBytes / 1_000_000} MB`)
  }
  // It may grow meanwhile.
  const reading = readAll(createReadStream(path, { end: maxBytes }))
  const bytes = await reading.catch((error: Error) => {
    throw unreadable(path, error)
  })
  return readUtf8(bytes, (position) => new Error(notUtf8(`The file ${path}`, position)))
}

/** A bot, as an import would store it, or what is wrong with its file. */
export async function readBotToTest(path: string): Promise<Flow | Mistake[]> {
  const text = await readTextFile(path)
  let raw: unknown
  try {
    raw = cleanJson(parseJson(text))
  } catch (error) {
    // Nothing is quoted from a file that may be none of a bot.
    if (error instanceof NoJson) return [{ ...error.position, message: "The file is no JSON" }]
    return [{ line: 1, column: 1, message: "The file has too many levels" }]
  }
  return flowIn(raw, text)
}

/** A bot in any of its versions; `text` is what it was parsed from. */
export function flowIn(raw: unknown, text: string): Flow | Mistake[] {
  const flow = storedFlow(raw)
  if (flow !== undefined) return flow
  return withPositions(lintBot(raw), text).map(({ place, message, line, column }) => ({
    line,
    column,
    message: `${place}: ${message}`,
  }))
}

async function facts(path: string): Promise<Stats> {
  return await stat(path).catch((error: Error) => {
    throw unreadable(path, error)
  })
}

function unreadable(path: string, error: Error & { code?: string }): Error {
  const shown = cut(path, 1_000)
  if (error.code === "ENOENT") return new Error(`There is no file ${shown}`, { cause: error })
  return new Error(`${shown} cannot be read (${error.code})`, { cause: error })
}
