/** How long bots of 4 MB take to import, read, publish and chat with, and how much that slows other chats down. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Api } from "../drills/api.ts"
import { median, quantile } from "../drills/figures.ts"
import { send } from "../drills/post.ts"
import { token } from "../drills/product.ts"
import { type Service, withService } from "../drills/stack.ts"
import { echoFlow, startChats } from "./echo.ts"
import { largeBots } from "./largeBot.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const starts = Number(process.env.BENCH_STARTS ?? 200)
const limitMs = 1_000
const crowdSize = 16
/** Between a turn and the next of the same person. */
const crowdPauseMs = 50

/** What a step took, the longest stall of the server, and the turns of another chat meanwhile. */
type Timed = { ms: number; stallMs: number; turnsMs: number[] }

/** The steps of a round with the bot of that name, cold or warm. */
type Figure = { bot: string; took: Record<string, Timed> }

/** Prints milliseconds, each with the longest stall of the server and the turns of another chat. */
export function run(): Promise<void> {
  return withService(measure)
}

async function measure(service: Service): Promise<void> {
  const { api } = service
  const workspaceId = await api.workspaceId()
  const importBot = async (bot: object) =>
    (await api.call("POST", "/bots/import", { workspaceId, bot })).bot.id
  await api.publish(echoFlow(3), "small")
  let large = ""
  const figures: Figure[] = []
  // The very first round shows a service that has just started.
  for (const [name, makeBot] of Object.entries(largeBots).toReversed()) {
    for (let round = 0; round <= rounds; round++) {
      const bot = makeBot()
      const kind = figures.length === 0 ? "cold" : "warm"
      const took: Figure["took"] = {}
      let botId = ""
      const step = async (named: string, work: () => Promise<unknown>) => {
        took[named] = await timed(service, work)
      }
      await step("import", async () => {
        botId = await importBot(bot)
      })
      large = `large-${botId}`
      await api.call("PATCH", `/bots/${botId}`, { bot: { publicId: large } })
      await step("update", () =>
        api.call("PATCH", `/bots/${botId}`, { bot: { groups: bot.groups } }),
      )
      await step("read", () => api.call("GET", `/bots/${botId}`))
      await step("check", () => api.call("POST", "/bots/lint", { bot }))
      await step("publish", () => api.call("POST", `/bots/${botId}/publish`))
      await step("read published", () => api.call("GET", `/bots/${botId}/publishedBot`))
      await step("first chat", () => api.start(large))
      await step("preview", () => api.call("POST", `/bots/${botId}/preview/startChat`, { bot }))
      figures.push({ bot: `${kind} ${name}`, took })
    }
  }
  report(figures)
  await measureCrowd(service, importBot)
  const [onSmall, onLarge] = (await compareStarts(api, ["small", large])).map((ms) => ms.toFixed(1))
  console.log(`startChat, median of ${starts}: ${onSmall} ms on 3 blocks, ${onLarge} ms on 5,000`)
}

function report(figures: readonly Figure[]): void {
  const rows = [...new Set(figures.map(({ bot }) => bot))].flatMap((bot) => {
    const own = figures.filter((figure) => figure.bot === bot)
    return Object.keys(own[0]?.took ?? {}).map((step) =>
      rowOf(
        bot,
        step,
        own.flatMap(({ took }) => took[step] ?? []),
      ),
    )
  })
  console.table(rows)
  const demanded = rows.filter(({ step }) => step === "import" || step === "publish")
  const slowest = Math.max(...demanded.map(({ ms }) => ms))
  console.log(
    `Demanded: import and publication under ${limitMs} ms: ${slowest < limitMs ? "reached" : "missed"}`,
  )
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
    "other chat p50": Number(median(turns).toFixed(1)),
    "other chat p99": Number(quantile(turns, 0.99).toFixed(1)),
  }
}

/** Times work while somebody else chats with a small bot, a turn every few milliseconds. */
async function timed(service: Service, work: () => Promise<unknown>): Promise<Timed> {
  await longestStall(service)
  let ms = 0
  const turnsMs = await turnsDuring(service, { users: 1, pauseMs: 2 }, async () => {
    const startedAt = performance.now()
    await work()
    ms = performance.now() - startedAt
  })
  return { ms, stallMs: await longestStall(service), turnsMs }
}

/** Milliseconds of all turns that so many users take with the small bot while the work is done. */
async function turnsDuring(
  service: Service,
  { users, pauseMs }: { users: number; pauseMs: number },
  work: () => Promise<void>,
): Promise<number[]> {
  const turnsMs: number[] = []
  let isDone = false
  const chat = async (sessionId: string) => {
    while (!isDone) {
      const sentAt = performance.now()
      const message = { message: "Still here" }
      await service.api.call("POST", `/sessions/${sessionId}/continueChat`, message)
      turnsMs.push(performance.now() - sentAt)
      await sleep(pauseMs)
    }
  }
  const chats = (await startChats(service, "small", users)).map(chat)
  await work().finally(() => {
    isDone = true
  })
  await Promise.all(chats)
  return turnsMs
}

type Author = (round: number) => Promise<void>

/**
 * Authors of the large bots: each imports, changes, reads and publishes. Bodies are printed beforehand
 * and answers not parsed, because those who chat are in this process too.
 */
async function authorsOf(
  { address, api }: Service,
  importBot: (bot: object) => Promise<string>,
): Promise<Author[]> {
  const workspaceId = await api.workspaceId()
  const call = async (method: string, path: string, body?: string) => {
    const { status } = await send(`${address}/api/v1${path}`, { method, token, body })
    if (status !== 200) throw new Error(`${method} ${path}: ${status}`)
  }
  const authors: Author[] = []
  for (const makeBot of Object.values(largeBots)) {
    const bot = makeBot()
    const botId = await importBot(bot)
    const imported = JSON.stringify({ workspaceId, bot })
    const changed = ["Even", "Odd"].map((title) => {
      const groups = bot.groups.map((group, index) => (index === 0 ? { ...group, title } : group))
      return JSON.stringify({ bot: { groups } })
    })
    authors.push(async (round) => {
      await call("POST", "/bots/import", imported)
      await call("PATCH", `/bots/${botId}`, changed[round % 2])
      await call("GET", `/bots/${botId}`)
      await call("POST", `/bots/${botId}/publish`)
    })
  }
  return authors
}

/** Measures the turns of people who chat while large bots are imported, changed, read and published. */
async function measureCrowd(
  service: Service,
  importBot: (bot: object) => Promise<string>,
): Promise<void> {
  const authors = await authorsOf(service, importBot)
  const crowd = { users: crowdSize, pauseMs: crowdPauseMs }
  const turnsMs = await turnsDuring(service, crowd, async () => {
    for (let round = 0; round < rounds; round++) {
      for (const author of authors) await author(round)
    }
  })
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(turnsMs, share).toFixed(1))
  console.log(
    `${crowdSize} users meanwhile: ${turnsMs.length} turns, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
  )
}

/** The longest stall of the server since the last time, in milliseconds. */
async function longestStall({ address }: Service): Promise<number> {
  const { text } = await send(`${address}/metrics`)
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
}

/** Returns the medians of both, which alternate so that other work on the machine affects both alike. */
async function compareStarts(api: Api, publicIds: [string, string]): Promise<number[]> {
  const took: number[][] = [[], []]
  for (let start = 0; start < starts; start++) {
    for (const [index, publicId] of publicIds.entries()) {
      const startedAt = performance.now()
      await api.start(publicId)
      took[index]?.push(performance.now() - startedAt)
    }
  }
  return took.map(median)
}
