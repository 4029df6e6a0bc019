/** Reads the uploaded files of a data folder for a backup, and writes them when it is restored. */
import { createReadStream, existsSync } from "node:fs"
import { appendFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { cut } from "../../lib/cut.ts"
import { badRequest } from "../../lib/errors.ts"
import type { FileItem } from "./format.ts"

const chunkBytes = 1024 * 1024

/** Reads all files of a data folder, each in pieces. A file that is deleted meanwhile is skipped. */
export async function* readFiles(dataFolder: string): AsyncGenerator<FileItem> {
  const root = join(dataFolder, "files")
  for await (const path of filesBelow(root)) {
    const file = relative(root, path).split(sep).join("/")
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
        yield { file, bytes: chunk.toString("base64") }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    }
  }
}

/** Folder by folder: one that is deleted meanwhile takes none of the others along. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneIfAbsent)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

/** A folder that cannot be read is no empty one: a backup would lack its files. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return []
  throw error
}

const maxParts = 20
/** No parent folder, separator or drive of any system. */
const plainName = /^(?!\.{1,2}$)[^/\\:\p{Cc}]{1,255}$/u

/** Refuses paths that could leave the folder. */
function requirePlainPath(file: string): void {
  const parts = file.split("/", maxParts + 1)
  if (parts.length <= maxParts && parts.every((part) => plainName.test(part))) return
  throw badRequest(`It has a file ${cut(JSON.stringify(file))}, which Parley never writes`)
}

/** Writes the files of a backup beside their place; they are put in place once all of them are there. */
export function openFileWriter(dataFolder: string) {
  const root = join(dataFolder, "files")
  const draft = join(dataFolder, "files.restoring")
  const marker = join(dataFolder, "restoring")
  const written = new Set<string>()
  let current: string | undefined
  let isDraft = false
  return {
    /** Throws a sentence if the data folder has files, unless an unfinished restore left them there. */
    async begin(): Promise<void> {
      // Set aside, not deleted: that restore may have been killed after its database was committed.
      if (existsSync(marker) && existsSync(root)) await rename(root, `${root}.aside-${Date.now()}`)
      if (!(await filesBelow(root).next()).done) {
        throw new Error(`There are files in ${root}: set PARLEY_DATA to a new folder.`)
      }
      await rm(draft, { recursive: true, force: true })
      await mkdir(dataFolder, { recursive: true })
      await writeFile(marker, "")
      isDraft = true
    },
    async write({ file, bytes: text }: FileItem): Promise<void> {
      if (file !== current) {
        requirePlainPath(file)
        if (written.has(file)) throw badRequest(`It has the file ${cut(file)} twice`)
        written.add(file)
        current = file
      }
      const bytes = Buffer.from(text, "base64")
      if (bytes.toString("base64") !== text) {
        throw badRequest(`It has a file ${cut(file)} that is not base64`)
      }
      const path = join(draft, file)
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await appendFile(path, bytes, { mode: 0o600 })
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException
        if (!["EEXIST", "ENOTDIR", "EISDIR"].includes(code)) throw error
        throw badRequest(`It has a file ${cut(file)} and another one inside it`)
      }
    },
    /** Puts them in place, before the database is committed. */
    async finish(): Promise<void> {
      await mkdir(draft, { recursive: true, mode: 0o700 })
      await rm(root, { recursive: true, force: true })
      await rename(draft, root)
      isDraft = false
    },
    /** Called once the database is committed: from now on the files are in use. */
    settle: () => rm(marker),
    /** Removes what is not in place yet; what is in place may be in use. */
    async abandon(): Promise<void> {
      if (!isDraft) return
      await rm(draft, { recursive: true, force: true })
      await rm(marker, { force: true })
    },
  }
}
