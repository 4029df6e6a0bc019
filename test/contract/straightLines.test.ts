/** How many files one call of a chat runs: what stands between a request and the engine stays little. */
import { readdirSync, readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const questions = Array.from({ length: 60 }, (_, n) => n).flatMap((n) => [
  say(`Hi {{Name}} ${n}`),
  ask.text({ saves: "Name" }),
])
const flow = bot(group("A", ...questions))

// Published by a service that stops, and served by one that only chats: jobs that recur would be counted.
const database = { DATABASE_URL: await testDatabaseUrl() }
const builder = await testServer(database)
const { publicId } = await publishBot(builder, flow)
await builder.stop()
const server = await testServer({ ...database, PARLEY_ROLE: "chat" })

const inspector = new Session()
beforeAll(async () => {
  inspector.connect()
  await inspector.post("Profiler.enable")
  // What is done once, at the first chat of a process or a version, is no part of a turn.
  await reply(await start())
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
})
afterAll(async () => {
  await inspector.post("Profiler.stopPreciseCoverage")
  inspector.disconnect()
})

test("a startChat runs few files outside the engine and few inside", async () => {
  const { outside, inside } = await filesRunBy(async () => start, 33)
  expect(outside.length, outside.join("\n")).toBeLessThanOrEqual(33)
  expect(inside.length, inside.join("\n")).toBeLessThanOrEqual(32)
})

test("a continueChat runs few files outside the engine and few inside", async () => {
  const { outside, inside } = await filesRunBy(async () => {
    const sessionId = await start()
    // The first answer of a stranger ends the short life of the chat.
    await reply(sessionId)
    return () => reply(sessionId)
  }, 29)
  expect(outside.length, outside.join("\n")).toBeLessThanOrEqual(29)
  expect(inside.length, inside.join("\n")).toBeLessThanOrEqual(36)
  // The engine and the statements are among them, or else this measures nothing.
  expect(inside).toContain("engine/turn/walk.ts")
  expect(outside).toContain("db/chats/sessions.ts")
})

async function start(): Promise<string> {
  const path = `/api/v1/bots/${publicId}/startChat`
  const { body } = await server.send("POST", path, { token: null, body: {} })
  return body.sessionId as string
}

async function reply(sessionId: string): Promise<void> {
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  const { status } = await server.send("POST", path, { token: null, body: { message: "Ann" } })
  expect(status).toBe(200)
}

/** The engine, and the files of the ground floor that it stands on. */
const ground = new Set(
  readdirSync("src/engine", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => [
      ...readFileSync(`src/engine/${path}`, "utf8").matchAll(/"(?:\.\.\/)+(lib\/\w+\.ts)"/g),
    ])
    .flatMap(([, path = ""]) => path),
)
const isInside = (path: string) => path.startsWith("engine/") || ground.has(path)

/**
 * The files of `src` of which a call runs a function every time. Services of other tests in this process
 * have recurring work: while more files than expected are outside, the calls are counted again.
 */
async function filesRunBy(begin: () => Promise<() => Promise<unknown>>, expected: number) {
  let common = await filesRunEveryTimeBy(await begin())
  const outside = () => common.filter((path) => !isInside(path)).sort()
  for (let rounds = 1; rounds < 10 && outside().length > expected; rounds++) {
    const files = new Set(await filesRunEveryTimeBy(await begin()))
    common = common.filter((path) => files.has(path))
  }
  return {
    outside: outside(),
    inside: common.filter(isInside).sort(),
  }
}

async function filesRunEveryTimeBy(work: () => Promise<unknown>): Promise<string[]> {
  const times = 30
  await inspector.post("Profiler.takePreciseCoverage")
  for (let done = 0; done < times; done++) await work()
  const { result } = await inspector.post("Profiler.takePreciseCoverage")
  return (
    result
      // Functions without a name are those with which the loader wraps modules and their exports.
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => {
          return functionName !== "" && ranges.some(({ count }) => count >= times)
        }),
      )
      .flatMap(({ url }) => url.match(/\/src\/(.+\.ts)$/)?.[1] ?? [])
  )
}
