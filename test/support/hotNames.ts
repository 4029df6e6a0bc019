/** The names of hot statements, as the source has them. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../src/db", import.meta.url))

/** The names of the statements in files of `src/db`, in order. */
export function hotNamesIn(...files: string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(`${folder}/${file}.ts`, "utf8")
    return [...text.matchAll(/\bname: "([a-z_]+)"/g)].map(([, name]) => String(name))
  })
}
