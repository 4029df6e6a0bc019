/** The compilers of TypeScript that programs of callers are tried with. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))

/** TypeScript itself, and one of the generation before, which a generator of clients brings along. */
export async function compilers(): Promise<string[]> {
  const require = createRequire(join(modules, "oazapfts/package.json"))
  const former = dirname(require.resolve("typescript/package.json"))
  const { version } = JSON.parse(await readFile(join(former, "package.json"), "utf8"))
  if (!/^5\./.test(version)) throw new Error(`TypeScript ${version} is of another generation`)
  return [join(modules, "typescript"), former].map((folder) => join(folder, "bin/tsc"))
}

/** What a compiler says about a project; empty: nothing. */
export async function complaintsOf(compiler: string, project: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", project]).catch(
    (failed: { stdout: string }) => failed,
  )
  return stdout
}
