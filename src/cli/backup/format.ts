/**
 * Writes and reads the file of a backup: gzipped lines of JSON. A head says what it is; then come
 * tables, rows and files, and an end that counts them, without which the backup is incomplete.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { z } from "zod"
import type { TableItem } from "../../db/backup/readTables.ts"
import { AppError } from "../../lib/errors.ts"
import { isAlive } from "../../postgres/lock.ts"
import { backupLines, brokenBackup } from "./lines.ts"

/** Raised whenever older versions would misread the file. */
const format = 1

const headSchema = z.object({
  parleyBackup: z.number(),
  /** The version of Parley that wrote it. */
  version: z.string().max(100),
  /** Number of the last migration of the database. */
  migration: z.number().int().positive(),
  madeAt: z.string().max(100),
})

/** What a backup says about itself. */
type BackupHead = Omit<z.infer<typeof headSchema>, "parleyBackup">

/** A piece of an uploaded file, in base64; the pieces of one file follow each other. */
export type FileItem = { file: string; bytes: string }

export type BackupItem = TableItem | FileItem

const itemSchema = z.union([
  // The column types are there for people: a restore uses those of the database.
  z.object({
    table: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
  }),
  z.object({ rows: z.array(z.array(z.string().nullable())) }),
  z.object({ file: z.string(), bytes: z.string() }),
  // Older backups have no checksum.
  z.object({ end: z.object({ items: z.number(), sha256: z.string().optional() }) }),
])

/**
 * Writes a backup. It gets its name only once it is complete and on disk. Until then its name contains
 * the id of this process, by which the next backup recognises what a killed one has left.
 */
export async function writeBackup(
  path: string,
  head: BackupHead,
  items: AsyncIterable<BackupItem>,
): Promise<void> {
  await deleteLeftovers(dirname(path))
  const partial = `${path}.parley-${process.pid}.partial`
  const zip = createGzip()
  const written = pipeline(zip, createWriteStream(partial, { mode: 0o600 }))
  // Writing may fail while the next item is awaited.
  written.catch(() => {})
  const sum = createHash("sha256")
  const write = async (item: object) => {
    const line = JSON.stringify(item)
    // The last line is not part of the checksum that it holds.
    if (!("end" in item)) sum.update(line)
    if (!zip.write(`${line}\n`)) await Promise.race([once(zip, "drain"), written])
  }
  try {
    await write({ parleyBackup: format, ...head })
    let count = 0
    for await (const item of items) {
      await write(item)
      count += 1
    }
    await write({ end: { items: count, sha256: sum.digest("hex") } })
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

/** Removes the unfinished files of backups that were killed. Those of other users stay. */
async function deleteLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/\.parley-(\d+)\.partial$/.exec(name)?.[1])
    const isLeftOver = pid === process.pid || (pid > 0 && !isAlive(pid))
    if (isLeftOver) await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

/** Reads what a backup says about itself. Throws a sentence that names the file if it is none. */
export async function readHead(path: string): Promise<BackupHead> {
  for await (const line of backupLines(path)) return headOf(path, line)
  throw brokenBackup(path)
}

/**
 * Hands over the items of a backup, and undefined at its end. Throws a sentence that names the file if
 * it is broken.
 */
export async function readBackup(
  path: string,
  take: (item: BackupItem | undefined) => Promise<void>,
): Promise<void> {
  const sum = createHash("sha256")
  let count = -1
  let isOver = false
  for await (const line of backupLines(path)) {
    if (isOver) throw brokenBackup(path)
    if (count === -1) headOf(path, line)
    else {
      const item = parsed(path, line, itemSchema)
      if ("end" in item) {
        const { items, sha256 = "" } = item.end
        isOver = items === count && (sha256 === "" || sha256 === sum.digest("hex"))
        if (!isOver) throw brokenBackup(path)
        await taken(path, take(undefined))
        continue
      }
      await taken(path, take(item))
    }
    sum.update(line)
    count += 1
  }
  if (!isOver) throw brokenBackup(path)
}

/** Turns what the tables or the files refuse, and values that do not fit, into a broken backup. */
async function taken(path: string, taking: Promise<void>): Promise<void> {
  try {
    await taking
  } catch (error) {
    if (error instanceof AppError) throw brokenBackup(path, error, error.message)
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    throw /^2[23]/.test(code) ? brokenBackup(path, error) : error
  }
}

function headOf(path: string, line: string): BackupHead {
  const head = parsed(path, line, headSchema)
  if (head.parleyBackup > format) {
    throw new Error(
      `${path} was written by Parley ${head.version} in a newer format: restore it with that version.`,
    )
  }
  return head
}

function parsed<Form extends z.ZodType>(path: string, line: string, form: Form): z.infer<Form> {
  try {
    return form.parse(JSON.parse(line))
  } catch (error) {
    throw brokenBackup(path, error)
  }
}
