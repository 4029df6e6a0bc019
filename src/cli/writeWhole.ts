/** Writes a file as a whole or not at all, and none over another one unasked. */
import { accessSync, constants, existsSync } from "node:fs"
import { chmod, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, isAbsolute, relative } from "node:path"

/** Throws a sentence if the file exists, or cannot exist. */
export function refuseToReplace(path: string, force: boolean): void {
  if (!force && existsSync(path)) {
    throw new Error(`${path} exists already: choose another name, or replace it with --force.`)
  }
  const folder = dirname(path)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}: make it first.`)
  accessSync(folder, constants.W_OK)
}

/** Writes a file atomically: readers see the former or the new content. */
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

/** Writes a file anew, where a link leads, and with its rights. What is no file, such as a pipe, takes the text. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  if (there === undefined) return await writeWhole(path, text, true)
  if (!there.isFile()) return await writeFile(path, text)
  const target = await realpath(path)
  await writeWhole(target, text, true)
  await chmod(target, there.mode)
}

/** The path of a file as another file names it. */
export function seenFrom(file: string, path: string): string {
  const way = relative(dirname(file), path).replaceAll("\\", "/")
  return isAbsolute(way) || way.startsWith("../") ? way : `./${way}`
}
