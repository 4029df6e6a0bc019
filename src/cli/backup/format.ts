/**
 * The file of a backup: gzipped lines of JSON. A head says what it is, then come tables, rows and
 * files, and an end that counts them, without which the backup is not complete.
 */
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { z } from "zod"
import type { TableItem } from "../../db/backup/readTables.ts"

/** Raised when former readers would misunderstand what is written. */
const format = 1

const headSchema = z.object({
  parleyBackup: z.number(),
  /** Version of Parley that wrote it. */
  version: z.string(),
  /** Last migration of the database. */
  migration: z.number().int(),
  madeAt: z.string(),
})

/** What a backup says of itself. */
type BackupHead = Omit<z.infer<typeof headSchema>, "parleyBackup">

/** A piece of an uploaded file, in base64; the pieces of one file follow each other. */
export type FileItem = { file: string; bytes: string }

/** What a backup holds. */
export type BackupItem = TableItem | FileItem

type End = { end: { items: number } }

const itemSchema = z.union([
  z.object({
    table: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
  }),
  z.object({ rows: z.array(z.array(z.string().nullable())) }),
  z.object({ file: z.string(), bytes: z.string() }),
  z.object({ end: z.object({ items: z.number() }) }),
])

/** Writes a backup. It has its name only once it is complete and on disk. */
export async function writeBackup(
  path: string,
  head: BackupHead,
  items: AsyncIterable<BackupItem>,
): Promise<void> {
  const partial = `${path}.partial`
  const zip = createGzip()
  const written = pipeline(zip, createWriteStream(partial, { mode: 0o600 }))
  // Also when writing fails while the next item is awaited.
  written.catch(() => {})
  const write = async (line: object) => {
    if (!zip.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(zip, "drain"), written])
  }
  try {
    await write({ parleyBackup: format, ...head })
    let count = 0
    for await (const item of items) {
      await write(item)
      count += 1
    }
    await write({ end: { items: count } } satisfies End)
    zip.end()
    await written
    const file = await open(partial, "r")
    await file.sync().finally(() => file.close())
    await rename(partial, path)
  } catch (error) {
    zip.destroy()
    await rm(partial, { force: true })
    throw error
  }
}

/** Reads what a backup says of itself. Throws a sentence that names the file when it is another one. */
export async function readHead(path: string): Promise<BackupHead> {
  let head: BackupHead | undefined
  try {
    await eachLine(path, async (line) => {
      head = headOf(path, line)
      return "stop"
    })
  } catch (error) {
    // Streams that are left early end with an error.
    if (head === undefined) throw error
  }
  if (head === undefined) throw broken(path)
  return head
}

/** Reads the items of a backup to its end. Throws a sentence that names the file when it is broken. */
export async function readBackup(
  path: string,
  take: (item: BackupItem) => Promise<void>,
): Promise<void> {
  let isBegun = false
  let isOver = false
  let count = 0
  await eachLine(path, async (line) => {
    if (!isBegun) {
      headOf(path, line)
      isBegun = true
      return undefined
    }
    const item = parsed(path, line, itemSchema)
    if (isOver) throw broken(path)
    if (!("end" in item)) {
      await take(item)
      count += 1
    } else if (item.end.items === count) isOver = true
    else throw broken(path)
    return undefined
  })
  if (!isOver) throw broken(path)
}

const newline = 10

async function eachLine(
  path: string,
  read: (line: string) => Promise<"stop" | undefined>,
): Promise<void> {
  // What ends the streams may come back as a mere abort.
  let failure: unknown
  const split = async (source: AsyncIterable<Buffer>) => {
    let rest: Buffer[] = []
    for await (const chunk of source) {
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString()
        rest = []
        start = end + 1
        const order = await read(line).catch((error: unknown) => {
          failure = error
          throw error
        })
        if (order === "stop") return
      }
      rest.push(chunk.subarray(start))
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), split)
  } catch (error) {
    throw explained(path, failure ?? error)
  }
}

function headOf(path: string, line: string): BackupHead {
  const head = parsed(path, line, headSchema)
  if (head.parleyBackup > format) {
    throw new Error(
      `${path} was written by Parley ${head.version}, in a format of its own: restore it with that version.`,
    )
  }
  return head
}

function parsed<Form extends z.ZodType>(path: string, line: string, form: Form): z.infer<Form> {
  try {
    return form.parse(JSON.parse(line))
  } catch (error) {
    throw broken(path, error)
  }
}

function explained(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return new Error(`There is no file ${path}.`, { cause: error })
  // PostgreSQL refuses values that stand at another place than they came from.
  if (/^(?:Z_|22|23)/.test(code)) return broken(path, error)
  return error
}

function broken(path: string, cause?: unknown): Error {
  return new Error(
    `${path} is no complete backup: it was cut off or changed, or is another kind of file. Nothing was restored.`,
    { cause },
  )
}
