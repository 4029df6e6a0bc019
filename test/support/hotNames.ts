/** The names of hot statements, as the source has them. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../src/db", import.meta.url))

/** The names of the statements in all files of `src/db`. */
export function hotNames(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const sources = files.filter((file) => file.endsWith(".ts"))
  return hotNamesIn(...sources.map((file) => file.slice(0, -".ts".length)))
}

/** The names of the statements in files of `src/db`, in order. */
export function hotNamesIn(...files: string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(`${folder}/${file}.ts`, "utf8")
    return [...text.matchAll(/\bname: "([a-z_]+)"/g)].map(([, name]) => String(name))
  })
}
