/** The front page's lines about tests, typed at the built product: in a folder with a bot and its test. */
import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { productCopy } from "./product.ts"

const product = await productCopy()
const server = await testServer()
const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8")

const [, flow = ""] = /FLOW='(\{[\s\S]*?\})'/.exec(readme) ?? []
const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? []
const [, script = ""] = /<!-- workshop -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? []

/** What a program printed, and the code with which it ended. */
type Ended = { code: number; out: string; err: string }

/** Types a line in a folder, and what follows at the keyboard. */
function typeLine(line: string, folder: string, keyboard = ""): Promise<Ended> {
  const parley = join(product, "scripts/parley.mjs")
  const shim = `npx() { shift; "${process.execPath}" "${parley}" "$@"; }\n`
  const { PATH } = process.env
  const env = { PATH, PARLEY_PUBLIC_URL: server.address, PARLEY_TOKEN: server.token }
  return new Promise((resolve) => {
    const options = { cwd: folder, env }
    const child = execFile("sh", ["-c", shim + line], options, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err })
    })
    child.stdin?.end(keyboard)
  })
}

test("each line does what it says", async () => {
  const folder = await testFolder()
  await writeFile(join(folder, "newsletter.json"), flow)
  await writeFile(join(folder, "newsletter.test.yaml"), yaml)
  const { botId, publicId } = await publishBot(server, JSON.parse(flow))
  const chat = await chatOver(server, publicId)
  for (const said of ["Ann", "ann@example.com"]) await chat.say(said)

  const initialize = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }
  const listTools = { jsonrpc: "2.0", id: 2, method: "tools/list" }
  const typed: Record<string, string> = {
    record: "Ann\nann@example.com\n",
    mcp: `${JSON.stringify(initialize)}\n${JSON.stringify(listTools)}\n`,
  }
  const says: Record<string, RegExp> = {
    test: /1 passed[\s\S]*100 %|100 %[\s\S]*1 passed/,
    record: /Thanks! We write to ann@example.com/,
    explore: /0 errors/,
    types: /^/,
    replay: /1 conversation/,
    mcp: /"publish_bot"/,
  }
  const lines = script.trim().split("\n")
  const words = lines.map((line) => /^npx parley (\w+)/.exec(line)?.[1] ?? "")
  expect(words).toEqual(Object.keys(says))
  for (const [index, word] of words.entries()) {
    const line = lines[index]?.replace("<bot>", botId) ?? ""
    const ended = await typeLine(line, folder, typed[word])
    expect(ended, line).toMatchObject({ code: 0 })
    expect(ended.out + ended.err, line).toMatch(says[word] ?? /^$/)
  }
  expect(await readFile(join(folder, "newsletter.ts"), "utf8")).toContain(
    "export type Newsletter = ",
  )
  // What was recorded is found beside the first one, and passes.
  const again = await typeLine("npx parley test", folder)
  expect(again, again.out).toMatchObject({ code: 0, out: expect.stringContaining("2 passed") })
})
