/** The README and the page of operations tell the truth: their walk is run as it stands. */
import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const server = await testServer()

const pages = ["README.md", "src/routers/README.md"]
const curl = new URL("../support/curl.mjs", import.meta.url)

const texts = pages.map((page) => readFile(new URL(`../../${page}`, import.meta.url), "utf8"))
const text = (await Promise.all(texts)).join("\n")

it("walks from a token to a recorded answer, and back from a change, exactly as the pages show", async () => {
  const parts = [
    "walk",
    "previews",
    "versions",
    "answers",
    "sharing",
    "edits",
    "keys",
    "variables",
  ].map(scriptOf)
  for (const part of parts) expect(promisedBy(part).length).toBeGreaterThan(1)
  const [walk = ""] = parts
  // A reader tries it again.
  expect(await run([walk, ...parts].join(""))).toEqual([walk, ...parts].flatMap(promisedBy))
})

/** The script below a mark. */
function scriptOf(mark: string): string {
  return new RegExp(`<!-- ${mark} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ""
}

/** The lines that a script says it prints. */
function promisedBy(script: string): string[] {
  return [...script.matchAll(/# prints: (.*)$/gm)].map(([, line = ""]) => line)
}

/** The lines that a shell prints for the script. */
async function run(script: string): Promise<string[]> {
  const folder = await testFolder()
  const file = join(folder, "walk.sh")
  const shim = `command -v curl >/dev/null || curl() { "${process.execPath}" "${curl.pathname}" "$@"; }\n`
  await writeFile(file, shim + script)
  const { stdout } = await promisify(execFile)("sh", [file], {
    env: { ...process.env, API: server.address, TOKEN: server.token },
  })
  return stdout.trimEnd().split("\n")
}

it("is a front page", async () => {
  const [readme = ""] = await Promise.all(texts)
  expect(readme.length).toBeLessThan(12_500)
})
