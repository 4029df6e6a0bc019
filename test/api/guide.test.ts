/** The guide at /docs tells the truth: its code runs as it stands, in the order of reading. */
import { execFile, execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { freePort } from "../support/freePort.ts"
import { files, type Step, stepsIn } from "../support/guideSteps.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const server = await testServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })
const root = fileURLToPath(new URL("../..", import.meta.url))
const curl = join(root, "test/support/curl.mjs")
const hasPython = isThere("python3")

/** How a language is run, and a statement that ends a step. */
type Way = { file: string; command: string; args?: string[]; head?: string; mark: string }

const mark = "--- next step"
const ways: Record<string, Way> = {
  sh: {
    file: "guide.sh",
    command: "bash",
    head: isThere("curl") ? "" : `curl() { "${process.execPath}" "${curl}" "$@"; }\n`,
    mark: `echo "${mark}"`,
  },
  js: { file: "guide.mjs", command: process.execPath, mark: `console.log("${mark}")` },
  ts: {
    file: "guide.mts",
    command: process.execPath,
    args: ["--import", join(root, "node_modules/tsx/dist/loader.mjs")],
    mark: `console.log("${mark}")`,
  },
  python: { file: "guide.py", command: "python3", mark: `print("${mark}", flush=True)` },
}

test.each(Object.keys(ways))("its steps in %s print what it shows", async (language) => {
  if (language === "python" && !hasPython) return console.log("Skipped: python3 is not installed")
  const steps = stepsIn(language).flatMap(withOtherReceiver)
  expect(steps.length).toBeGreaterThan(8)
  const printed = await run(language, steps)
  for (const [index, { chapter, code, prints }] of steps.entries()) {
    expect(printed[index], `${chapter}:\n${code}`).toBe(prints)
  }
})

/** The receiver of webhooks in Python where it runs, and that in JavaScript after it. */
function withOtherReceiver(step: Step): Step[] {
  if (step.mark !== "run=python") return [step]
  const code = step.code.replace("python3 receiver.py", `"${process.execPath}" receiver.mjs`)
  expect(code).not.toBe(step.code)
  return [...(hasPython ? [step] : []), { ...step, code }]
}

/** What each step prints. */
async function run(language: string, steps: readonly Step[]): Promise<string[]> {
  const way = ways[language]
  if (!way) throw new Error(`${language} is not run`)
  const folder = await testFolder()
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  const script = steps.map(({ code }) => `${code}\n${way.mark}\n`).join("")
  await writeFile(join(folder, way.file), (way.head ?? "") + script)
  const port = String(await freePort())
  const { stdout } = await promisify(execFile)(way.command, [...(way.args ?? []), way.file], {
    cwd: folder,
    env: {
      ...process.env,
      API: server.address,
      TOKEN: server.token,
      HOOK: `http://127.0.0.1:${port}/hook`,
      HOOK_PORT: port,
      TSX_TSCONFIG_PATH: join(root, "tsconfig.json"),
    },
  })
  return stdout.split(`${mark}\n`).map((text) => text.trim())
}

function isThere(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
