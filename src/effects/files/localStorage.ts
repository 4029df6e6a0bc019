/** Keeps files in a folder of this machine. */
import { randomBytes } from "node:crypto"
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { FileStorage } from "./storage.ts"

/** A storage below a folder, which is made when it is needed. */
export function openLocalStorage(root: string): FileStorage {
  return {
    async write(key, bytes) {
      const path = join(root, key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomBytes(6).toString("hex")}`
      try {
        await writeFile(draft, bytes, { mode: 0o600, flag: "wx" })
        // A link appears whole or not at all, and never replaces what lies there.
        await link(draft, path)
        return true
      } catch (error) {
        if (isCode(error, "EEXIST")) return false
        throw error
      } finally {
        await rm(draft, { force: true })
      }
    },
    async read(key) {
      try {
        return await readFile(join(root, key))
      } catch (error) {
        if (isCode(error, "ENOENT")) return undefined
        throw error
      }
    },
    async measureFolder(folder) {
      const sizes = await sizesBelow(join(root, folder))
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
    async listFolders(folder) {
      try {
        const entries = await readdir(join(root, folder), { withFileTypes: true })
        return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      } catch (error) {
        if (isCode(error, "ENOENT")) return []
        throw error
      }
    },
    async removeFolder(folder) {
      await rm(join(root, folder), { recursive: true, force: true })
    },
  }
}

async function sizesBelow(folder: string): Promise<number[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile())
    return await Promise.all(
      files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
    )
  } catch (error) {
    if (isCode(error, "ENOENT")) return []
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code
}
