/** A public generator, oazapfts, makes a typed client from openapi.json; it compiles and chats. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const run = promisify(execFile)
const server = await testServer()
let folder: string

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  },
  files: ["parley.ts", "use.ts", "misuse.ts"],
}

// What a user of the client writes. Types come from the document alone.
const use = `import { defaults, getResult, importBot, publishBot, startChat, continueChat } from "./parley.js"

const [address = "", publicId = "", botId = "", token = ""] = process.argv.slice(2)
defaults.baseUrl = address

const started = await startChat(publicId, { textBubbleContentFormat: "markdown" })
if (started.status !== 200) throw new Error(started.data.message)
const { sessionId, resultId = "", bot, messages, input } = started.data
const version: "3" | "4" | "5" | "6" | "6.1" = bot.version
const kind: string | undefined = input?.type
const shown = messages.map((each) => (each.type === "text" && each.content.type === "markdown" ? each.content.markdown : ""))

const retried = await continueChat(sessionId, { message: "nobody", textBubbleContentFormat: "markdown" })
const refused: number = retried.status
const answered = await continueChat(sessionId, { message: { type: "text", text: "Ann@Example.com" } })
if (answered.status !== 200) throw new Error(answered.data.detail)
const normalised: string | undefined = answered.data.lastMessageNewFormat

const read = await getResult(botId, resultId, {}, { headers: { authorization: \`Bearer \${token}\` } })
if (read.status !== 200) throw new Error(read.data.message)
const gone = await continueChat("nobody0", {})
if (gone.status !== 404) throw new Error("It must be gone")
const words: string = gone.data.message

const answers = read.data.result.answers.map(({ content }) => content)
console.log(JSON.stringify({ version, kind, shown, refused, normalised, answers, words }))
void importBot
void publishBot
`

// Every line is wrong, and the compiler must say so.
const misuse = `import { continueChat, createWorkspace, startChat } from "./parley.js"

await startChat(5)
await startChat("a", { textBubbleContentFormat: "html" })
await startChat("a", { isOnlyRegistering: "false" })
await continueChat("a", { message: 5 })
await createWorkspace({ icon: "x" })
const started = await startChat("a")
started.data.sessionId
if (started.status === 200) started.data.sesionId
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-generated-"))
  await symlink(resolve("node_modules"), join(folder, "node_modules"))
  await Promise.all([
    run("node_modules/.bin/oazapfts", ["openapi.json", join(folder, "parley.ts")]),
    writeFile(join(folder, "package.json"), '{"type":"module"}'),
    writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig)),
    writeFile(join(folder, "use.ts"), use),
    writeFile(join(folder, "misuse.ts"), misuse),
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test("the generated client compiles, refuses misuse line by line, and runs a chat", async () => {
  const complaints = await compile()
  const places = [...complaints.matchAll(/^(\w+\.ts)\((\d+),/gm)].map(([, file, line]) => [
    file,
    line,
  ])
  const wrong = misuse
    .split("\n")
    .flatMap((line, index) => (/^(await|started|if)/.test(line) ? [index + 1] : []))
  expect(places, complaints).toEqual(wrong.map((line) => ["misuse.ts", String(line)]))
  expect(await chat()).toEqual({
    version: "6.1",
    kind: "email input",
    shown: ["Where can we write to you?"],
    refused: 200,
    normalised: "ann@example.com",
    answers: ["ann@example.com"],
    words: "Session not found: start a new chat",
  })
})

/** Everything that the compiler has to say. */
async function compile(): Promise<string> {
  const compiler = resolve("node_modules/typescript/bin/tsc")
  return run(process.execPath, [compiler, "--project", "tsconfig.json"], { cwd: folder }).then(
    () => "",
    (failed: { stdout: string }) => failed.stdout,
  )
}

async function chat(): Promise<unknown> {
  const flow = bot(group("Contact", say("Where can we write to you?"), ask.email({ saves: "E" })))
  const { publicId, botId } = await publishBot(server, flow)
  const words = [server.address, publicId, botId, server.token]
  const { stdout } = await run(process.execPath, [join(folder, "use.js"), ...words])
  return JSON.parse(stdout)
}
