/** Writes a file as a whole or not at all, and none over another one unasked. */
import { existsSync } from "node:fs"
import { rename, rm, writeFile } from "node:fs/promises"
import { dirname, isAbsolute, relative } from "node:path"

/** Throws a sentence if the file exists, or cannot exist. */
export function refuseToReplace(path: string, force: boolean): void {
  if (!force && existsSync(path)) {
    throw new Error(`${path} exists already: choose another name, or replace it with --force.`)
  }
  const folder = dirname(path)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}: make it first.`)
}

/** Writes a file; whoever reads it meanwhile sees what was there before. */
export async function writeWhole(path: string, text: string, force: boolean): Promise<void> {
  refuseToReplace(path, force)
  const partial = `${path}.parley-${process.pid}.partial`
  try {
    await writeFile(partial, text)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** The path of a file as another file names it. */
export function seenFrom(file: string, path: string): string {
  const way = relative(dirname(file), path).replaceAll("\\", "/")
  return isAbsolute(way) || way.startsWith("../") ? way : `./${way}`
}
