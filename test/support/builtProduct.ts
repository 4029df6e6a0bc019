/** The product as it is delivered, built once for all tests of a run. */
import { execFile } from "node:child_process"
import { cp, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onceForRun } from "./onceForRun.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** What the product is built from and runs with. */
export const sources = ["src", "schema", "scripts", "openapi.json", "package.json", "tsconfig.json"]

/** The folder of the product, built by whichever test file asks for it first; nobody may change it. */
export function builtProduct(): Promise<string> {
  return onceForRun("product", async (folder) => {
    await bring(sources, project, folder)
    await promisify(execFile)(process.execPath, [join(folder, "scripts/build.mjs")])
  })
}

/** The file that runs `parley <command>` of the product. */
export async function builtCommand(): Promise<string> {
  return join(await builtProduct(), "scripts/parley.mjs")
}

/** Copies files and folders, and leaves the packages where they are. */
export async function bring(parts: readonly string[], from: string, to: string): Promise<void> {
  const options = { recursive: true, preserveTimestamps: true, dereference: true }
  await Promise.all(parts.map((part) => cp(join(from, part), join(to, part), options)))
  await symlink(join(project, "node_modules"), join(to, "node_modules"))
}
