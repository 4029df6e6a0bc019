/** Stores files in a folder on this machine. */
import { randomBytes } from "node:crypto"
import { createReadStream } from "node:fs"
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { notFound, unavailable } from "../../lib/errors.ts"
import type { FileBytes, FileStorage } from "./storage.ts"

/** Creates a storage in a folder, which is created when it is needed. */
export function createLocalStorage(root: string): FileStorage {
  return {
    write: (key, bytes) => write(join(root, key), bytes).catch(reportFull),
    read: (key) => unlessMissing(readFile(join(root, key)), undefined),
    async serve(key) {
      const path = join(root, key)
      const size = await sizeOf(path)
      if (size === undefined) return undefined
      return { size, read: (part) => readPart(path, part) }
    },
    measure: (key) => sizeOf(join(root, key)),
    async delete(key) {
      await rm(join(root, key), { force: true })
    },
    async measureFolder(folder) {
      const sizes = await sizesBelow(join(root, folder))
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
    async listFolders(folder) {
      const found = readdir(join(root, folder), { withFileTypes: true })
      const entries = await unlessMissing(found, [])
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    },
    async deleteFolder(folder) {
      // Again when a file came into it meanwhile.
      const again = { maxRetries: 5, retryDelay: 20 }
      await rm(join(root, folder), { recursive: true, force: true, ...again })
    },
  }
}

async function write(path: string, bytes: FileBytes): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  try {
    await writeFile(draft, bytes, { mode: 0o600, flag: "wx" })
    // A link is atomic, and never replaces an existing file.
    await link(draft, path)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** The 503 for a disk that is full or takes no writes. */
function reportFull(error: unknown): never {
  const isFull = ["ENOSPC", "EDQUOT", "EROFS"].some((code) => isCode(error, code))
  throw isFull ? unavailable("There is no room for files now", 60, error) : error
}

/** Reads as fast as the bytes are taken. A file that was removed meanwhile is a 404. */
async function* readPart(path: string, part?: { start: number; end: number }) {
  try {
    yield* createReadStream(path, part)
  } catch (error) {
    throw isCode(error, "ENOENT") ? notFound("File") : error
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await unlessMissing(stat(path), undefined))?.size
}

async function sizesBelow(folder: string): Promise<number[]> {
  const found = readdir(folder, { withFileTypes: true, recursive: true })
  const files = (await unlessMissing(found, [])).filter((entry) => entry.isFile())
  const sizes = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
  return await unlessMissing(Promise.all(sizes), [])
}

/** The result, or a substitute if the file or folder does not exist. */
async function unlessMissing<Found, Substitute>(found: Promise<Found>, substitute: Substitute) {
  return await found.catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return substitute
    throw error
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code
}
