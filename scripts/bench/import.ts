/** How long bots of 4 MB take to import, read, publish and chat with, and how much that slows other chats down. */
import { setTimeout as sleep } from "node:timers/promises"
import { median, quantile } from "../drills/figures.ts"
import { send } from "../drills/post.ts"
import { type Service, withService } from "../drills/stack.ts"
import { echoFlow, startChats } from "./echo.ts"
import { largeBots } from "./largeBot.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const limitMs = 1_000
/** Others who chat meanwhile with a small bot, each a turn at a time with a pause. */
const others = { users: 16, pauseMs: 50 }

/** What a step took, the longest stall of the server, and the turns of other chats meanwhile. */
type Timed = { ms: number; stallMs: number; turnsMs: readonly number[] }

/** Prints a table of the steps with each bot, medians of all rounds but a first one. */
export function run(): Promise<void> {
  return withService(async (service) => {
    await service.api.publish(echoFlow(3), "small")
    const rows = []
    for (const [bot, makeBot] of Object.entries(largeBots)) {
      const taken = new Map<string, Timed[]>()
      for (let round = 0; round <= rounds; round++) {
        for (const [step, timed] of await useBot(service, makeBot())) {
          if (round > 0) taken.set(step, [...(taken.get(step) ?? []), timed])
        }
      }
      rows.push(...[...taken].map(([step, all]) => rowOf(bot, step, all)))
    }
    console.table(rows)
    const slow = rows.filter(({ step, ms }) => /^(?:import|publish)$/.test(step) && ms >= limitMs)
    console.log(`Imports and publications of ${limitMs} ms and more: ${slow.length}`)
  })
}

/** Runs all operations of an author on a bot. */
async function useBot(service: Service, bot: ReturnType<(typeof largeBots)[string]>) {
  const { api } = service
  const workspaceId = await api.workspaceId()
  const taken: [string, Timed][] = []
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const { done, timed } = await timeOf(service, work)
    taken.push([name, timed])
    return done
  }
  const imported = await step("import", () =>
    api.call("POST", "/bots/import", { workspaceId, bot }),
  )
  const path = `/bots/${imported.bot.id}`
  const publicId = `large-${imported.bot.id}`
  await api.call("PATCH", path, { bot: { publicId } })
  await step("update", () => api.call("PATCH", path, { bot: { groups: bot.groups } }))
  await step("read", () => api.call("GET", path))
  await step("check", () => api.call("POST", "/bots/lint", { bot }))
  await step("publish", () => api.call("POST", `${path}/publish`))
  await step("first chat", () => api.start(publicId))
  await step("preview", () => api.call("POST", `${path}/preview/startChat`, { bot }))
  return taken
}

function rowOf(bot: string, step: string, all: readonly Timed[]) {
  const turns = all.flatMap(({ turnsMs }) => turnsMs)
  return {
    bot,
    step,
    ms: Math.round(median(all.map(({ ms }) => ms))),
    slowest: Math.round(Math.max(...all.map(({ ms }) => ms))),
    // From the round that other work on the machine disturbed least.
    "longest stall ms": Math.round(Math.min(...all.map(({ stallMs }) => stallMs))),
    "other chats p50": Number(median(turns).toFixed(1)),
    "other chats p99": Number(quantile(turns, 0.99).toFixed(1)),
  }
}

/** Times work while others chat. */
async function timeOf<T>(service: Service, work: () => Promise<T>) {
  const turnsMs: number[] = []
  let isDone = false
  const chat = async (sessionId: string) => {
    while (!isDone) {
      const sentAt = performance.now()
      await service.api.call("POST", `/sessions/${sessionId}/continueChat`, { message: "Hi" })
      turnsMs.push(performance.now() - sentAt)
      await sleep(others.pauseMs)
    }
  }
  const chats = (await startChats(service, "small", others.users)).map(chat)
  await maxStall(service)
  const startedAt = performance.now()
  const done = await work().finally(() => {
    isDone = true
  })
  const ms = performance.now() - startedAt
  await Promise.all(chats)
  return { done, timed: { ms, stallMs: await maxStall(service), turnsMs } }
}

/** Max stall of the server since the last call, in milliseconds. */
async function maxStall({ address }: Service): Promise<number> {
  const { text } = await send(`${address}/metrics`)
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
}
