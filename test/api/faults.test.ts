/** Faults at every step between a chat and its database or the world: repeated requests heal them. */
import { afterAll, describe, expect, test } from "vitest"
import { readConfig } from "../../src/app/config.ts"
import type { Chat } from "../../src/chat/chat.ts"
import { continueChat } from "../../src/chat/continueChat.ts"
import { readKey } from "../../src/chat/idempotency.ts"
import { startChat } from "../../src/chat/startChat.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { openEffects } from "../../src/effects/openEffects.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { AppError } from "../../src/lib/errors.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { createOutages } from "../../src/telemetry/outages.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, link, say, set } from "../support/bots.ts"
import { openTestChat } from "../support/chats.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

// Some thirty chats per test.
const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url, PARLEY_DEFAULT_PLAN: "UNLIMITED" })
const upstream = await startPeer()

const tell = (what: string) =>
  block("Webhook", { webhook: { url: upstream.url, body: what }, isCustomBody: true })
const child = await publishBot(
  server,
  bot(group("C", ask.text({ saves: "Inner" }), tell("in {{Inner}}"), say("Inner {{Inner}}"))),
)
/** Every kind of step: calls outside and inside, a script, a bot with results of its own. */
const flow = bot(
  group(
    "P",
    tell("start"),
    ask.text({ saves: "Name" }),
    set("Loud", "{{Name}}.toUpperCase()"),
    link(child.botId),
    say("Hi {{Loud}}"),
    ask.text({ saves: "Last" }),
    tell("last {{Last}}"),
  ),
)
const parent = await publishBot(server, flow)

type When = "before" | "after"
/** Which step breaks, counted from 1, how many in a row, and how many steps there were so far. */
type Fault = { at: number; width: number; when: When; seen: number }

let fault: Fault = { at: 0, width: 0, when: "before", seen: 0 }

async function passing<T>(work: () => Promise<T>): Promise<T> {
  fault.seen += 1
  const isHit = fault.seen >= fault.at && fault.seen < fault.at + fault.width
  if (isHit && fault.when === "before") throw new Error("The connection broke before")
  const done = await work()
  if (isHit) throw new Error("The connection broke after")
  return done
}

const config = readConfig({
  DATABASE_URL: database.url,
  PARLEY_SECRET: "a secret that only tests know of",
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
})
const db: Db = {
  kysely: database.kysely,
  run: (statement, values) => passing(() => database.run(statement, values)),
}
const log = silentLog()
const metrics = { countCall: () => {}, countModel: () => {} }
const outages = createOutages(log)
const snapshots = createSnapshots(db)
const effects = await openEffects({ config, db, snapshots, log, metrics, outages })
afterAll(effects.close)

/** The services of a process whose steps may break; versions of bots are new to it. */
function openProcess(): Chat {
  const perform: Chat["effects"]["perform"] = (call, context) =>
    passing(() => effects.perform(call, context))
  const door = { isOutside: effects.isOutside, perform }
  // No claim may outlive its turn: nobody waits this long here.
  const turnTimeoutMs = 120_000
  return openTestChat({ db, log, snapshots: createSnapshots(db), effects: door, turnTimeoutMs })
}

/** Repeats a request until it is answered, through the next process each time. */
async function insist<T>(chats: Chat[], send: (chat: Chat) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 4; tries++) {
    const chat = chats[tries % chats.length]
    if (!chat) break
    try {
      return await send(chat)
    } catch (error) {
      // A refusal is a wrong answer here: the service must heal by itself.
      if (error instanceof AppError) throw error
      await expectWholeTurns()
    }
  }
  throw new Error("It was not answered in four tries")
}

const said = ["Ann", "deep", "bye"]

/** The keyed responses tell how many turns were stored; the rows must be exactly theirs. */
async function expectWholeTurns(): Promise<void> {
  const { rows } = await database.pool.query(`
    select (select count(*) from idempotency) as turns,
      (select count(*) from answers) as answers,
      (select count(*) from results where is_completed) as completed,
      (select count(*) from results) as results`)
  const { turns, answers, completed, results } = rows[0]
  expect([answers, completed, results]).toEqual(
    [
      [0, 0, 0],
      // A result is stored from the start, because its bot has run a block.
      [0, 0, 1],
      [1, 0, 2],
      [2, 1, 2],
      [3, 2, 2],
    ][turns],
  )
}

/** One whole chat; every request is repeated until it is answered. */
async function chatThrough(chats: Chat[]): Promise<{ resultId: string }> {
  const begin = { publicId: parent.publicId, isStreamEnabled: false, isOnlyRegistering: false }
  const onlyBots = undefined
  const textFormat = "markdown" as const
  const { step } = await insist(chats, (chat) =>
    startChat(chat, { ...begin, onlyBots, textFormat, keyed: readKey("start", begin) }),
  )
  const { sessionId, resultId = "" } = step
  const request = { sessionId, onlyBots, textFormat, address: "127.0.0.1" }
  for (const text of said) {
    const message = { type: "text" as const, text }
    await insist(chats, (chat) =>
      continueChat(chat, { ...request, message, keyed: readKey(text, message) }),
    )
  }
  return { resultId }
}

const written = [
  "chat_sessions",
  "results",
  "answers",
  "result_steps",
  "logs",
  "idempotency",
  "start_keys",
]

async function clean(): Promise<void> {
  // A cluster takes long to truncate the parts of a table.
  for (const table of written) await database.pool.query(`delete from ${table}`)
  upstream.answers((response) => response.end("{}"))
}

async function expectOneChat(resultId: string): Promise<void> {
  await expectWholeTurns()
  const { rows: answers } = await database.pool.query(
    "select result_id, content from answers order by result_id = $1 desc, idx",
    [resultId],
  )
  expect(answers.map(({ content }) => content)).toEqual(["Ann", "bye", "deep"])
  const left = await database.pool.query("select count(*) as n from chat_sessions")
  expect(left.rows).toEqual([{ n: 0 }])
  const keys = upstream.received.map(({ text, headers }) => `${text} ${headers["idempotency-key"]}`)
  expect(upstream.received.length).toBeLessThanOrEqual(5)
  // However often a call was repeated, the other side can tell that it is the same.
  expect(new Set(keys).size).toBe(3)
  expect(new Set(keys.map((key) => key.split(" ").at(-1))).size).toBe(3)
}

/** Breaks every step in turn, until a chat passes that has no more steps; how many there were. */
async function breakEveryStep({ when, width = 1 }: { when: When; width?: number }, processes = 1) {
  for (let at = 1; ; at++) {
    await clean()
    fault = { at, width, when, seen: 0 }
    const { resultId } = await chatThrough(Array.from({ length: processes }, openProcess))
    await expectOneChat(resultId)
    if (fault.seen < at) return at - 1
  }
}

describe.each<When>([
  "before",
  "after",
])("a chat whose every step breaks once %s it is done", (when) => {
  test("heals when its requests are repeated", async () => {
    expect(await breakEveryStep({ when })).toBeGreaterThan(20)
  })

  test("heals through another process", async () => {
    expect(await breakEveryStep({ when }, 2)).toBeGreaterThan(20)
  })

  test("heals when the step after it breaks too", async () => {
    expect(await breakEveryStep({ when, width: 2 })).toBeGreaterThan(20)
  })
})
