/** Uploaded files in a backup: those of the data folder. */
import { createReadStream, existsSync } from "node:fs"
import { appendFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import type { FileItem } from "./format.ts"

const chunkBytes = 1024 * 1024

/** Reads all files below a data folder, each in pieces. One that is deleted meanwhile is left out. */
export async function* readFiles(dataFolder: string): AsyncGenerator<FileItem> {
  const root = join(dataFolder, "files")
  for (const path of await filesBelow(root)) {
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

async function filesBelow(root: string): Promise<string[]> {
  const found = await readdir(root, { withFileTypes: true, recursive: true }).catch(() => [])
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Takes the files of a backup. They are in place once all of them are there. */
type FileWriter = {
  write(item: FileItem): Promise<void>
  /** Puts them in place, before the database is committed. */
  finish(): Promise<void>
  /** To be called once the database is committed: from now on the files are in use. */
  settle(): Promise<void>
}

/**
 * Writes files beside their place first. Refuses a data folder that has files, unless a restore that
 * did not come to its end has left them.
 */
export async function openFileWriter(dataFolder: string): Promise<FileWriter> {
  const root = join(dataFolder, "files")
  const draft = join(dataFolder, "files.restoring")
  const marker = join(dataFolder, "restoring")
  // Kept aside: this process may have been killed after its database was committed.
  if (existsSync(marker) && existsSync(root)) await rename(root, `${root}.aside-${Date.now()}`)
  if ((await filesBelow(root)).length > 0) {
    throw new Error(`There are files in ${root}: name a new folder by PARLEY_DATA.`)
  }
  await rm(draft, { recursive: true, force: true })
  await mkdir(dataFolder, { recursive: true })
  await writeFile(marker, "")
  return {
    async write({ file, bytes }) {
      const path = join(draft, file)
      if (relative(draft, path).startsWith("..")) throw new Error(`The backup has a file ${file}.`)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await appendFile(path, Buffer.from(bytes, "base64"), { mode: 0o600 })
    },
    async finish() {
      await mkdir(draft, { recursive: true, mode: 0o700 })
      await rm(root, { recursive: true, force: true })
      await rename(draft, root)
    },
    settle: () => rm(marker),
  }
}
