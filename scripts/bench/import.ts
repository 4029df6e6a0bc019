/** How long bots of 4 MB take to import, read and publish, what chats of others feel of it, and a chat on them. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { startEmbedded } from "../../src/postgres/start.ts"
import { echoFlow } from "./bots.ts"
import { largeBots } from "./largeBot.ts"
import { median } from "./load.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const starts = Number(process.env.BENCH_STARTS ?? 200)
const limitMs = 1_000
const crowdSize = 16
/** Between a turn and the next of the same person. */
const crowdPauseMs = 50

type Answer = Record<string, unknown>
type Send = (method: string, path: string, body?: object) => Promise<Answer>

/** Prints milliseconds, each with the longest stall of the server and the turns of another chat. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const parley = await startParley({
    DATABASE_URL: server.url,
    NODE_OPTIONS: `--import=${new URL("./stalls.mjs", import.meta.url).href}`,
  })
  try {
    await measure(parley)
  } finally {
    await stopProcess(parley)
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(parley: Started): Promise<void> {
  const send = sender(parley)
  const { workspaces } = await send("GET", "/workspaces")
  const workspaceId = (workspaces as { id: string }[])[0]?.id
  const make = async (bot: object) => {
    const { bot: made } = await send("POST", "/bots/import", { workspaceId, bot })
    return (made as { id: string }).id
  }
  const publish = async (botId: string) =>
    String((await send("POST", `/bots/${botId}/publish`)).publicId)
  const small = await publish(await make(echoFlow(3)))
  const timed = await timer(parley, send, small)
  let large = ""
  const figures: Figure[] = []
  // Of the bot that comes first the first round is what a service that has just started needs.
  for (const [name, makeBot] of Object.entries(largeBots).toReversed()) {
    for (let round = 0; round <= rounds; round++) {
      const bot = makeBot() as { groups: object[] }
      let botId = ""
      const steps: Record<Step, () => Promise<unknown>> = {
        import: async () => {
          botId = await make(bot)
        },
        update: () => send("PATCH", `/bots/${botId}`, { bot: { groups: bot.groups } }),
        read: () => send("GET", `/bots/${botId}`),
        check: () => send("POST", "/bots/lint", { bot }),
        publish: async () => {
          large = await publish(botId)
        },
        "read published": () => send("GET", `/bots/${botId}/publishedBot`),
        "first chat": () => begin(send, large),
        preview: () => send("POST", `/bots/${botId}/preview/startChat`, { bot }),
      }
      const kind = figures.length === 0 ? "cold" : "warm"
      const took = {} as Record<Step, Timed>
      for (const [step, work] of Object.entries(steps)) took[step as Step] = await timed(work)
      figures.push({ name, kind, took })
    }
  }
  report(figures)
  await measureCrowd(send, small, await authorsOf(parley, workspaceId, make))
  const [onSmall, onLarge] = (await compareStarts(send, small, large)).map((ms) => ms.toFixed(1))
  console.log(`startChat, median of ${starts}: ${onSmall} ms on 3 blocks, ${onLarge} ms on 5,000`)
}

type Timed = {
  ms: number
  stallMs: number
  /** What the turns of another chat took meanwhile. */
  turnsMs: number[]
}
type Step =
  | "import"
  | "update"
  | "read"
  | "check"
  | "publish"
  | "read published"
  | "first chat"
  | "preview"

/** The steps of a round with the bot of that name. */
type Figure = { name: string; kind: "cold" | "warm"; took: Record<Step, Timed> }

function report(figures: readonly Figure[]): void {
  const rows = [...new Set(figures.map(({ name, kind }) => `${kind} ${name}`))].flatMap((bot) => {
    const own = figures.filter(({ name, kind }) => `${kind} ${name}` === bot)
    const steps = Object.keys(own[0]?.took ?? {}) as Step[]
    return steps.map((step) => rowOf(bot, step, own))
  })
  console.table(rows)
  const demanded = rows.filter(({ step }) => step === "import" || step === "publish")
  const slowest = Math.max(...demanded.map(({ ms }) => ms))
  console.log(
    `Demanded: import and publication under ${limitMs} ms: ${slowest < limitMs ? "reached" : "missed"}`,
  )
}

function rowOf(bot: string, step: Step, figures: readonly Figure[]) {
  const own = figures.map(({ took }) => took[step])
  const turns = own.flatMap(({ turnsMs }) => turnsMs).sort((one, other) => one - other)
  const p99 = turns[Math.ceil(turns.length * 0.99) - 1] ?? Number.NaN
  return {
    bot,
    step,
    ms: Math.round(median(own.map(({ ms }) => ms))),
    slowest: Math.round(Math.max(...own.map(({ ms }) => ms))),
    // Of all rounds the one that others on the machine disturbed least.
    "longest stall ms": Math.min(...own.map(({ stallMs }) => stallMs)),
    "other chat p50": Number(median(turns).toFixed(1)),
    "other chat p99": Number(p99.toFixed(1)),
  }
}

/** Times work while somebody else chats with a small bot, a turn every few milliseconds. */
async function timer(parley: Started, send: Send, small: string) {
  const { sessionId } = await begin(send, small)
  const turn = () => send("POST", `/sessions/${sessionId}/continueChat`, { message: "Still here" })
  return async (work: () => Promise<unknown>): Promise<Timed> => {
    let isDone = false
    const turnsMs: number[] = []
    const chat = async () => {
      while (!isDone) {
        const sentAt = performance.now()
        await turn()
        turnsMs.push(performance.now() - sentAt)
        await sleep(2)
      }
    }
    await longestStall(parley)
    const chatting = chat()
    const startedAt = performance.now()
    try {
      await work()
    } finally {
      isDone = true
    }
    const ms = performance.now() - startedAt
    await chatting
    return { ms, stallMs: await longestStall(parley), turnsMs }
  }
}

/**
 * Authors of the large bots: each imports, changes, reads and publishes. Bodies are printed beforehand
 * and answers not read, because those who chat are in this process too.
 */
async function authorsOf(
  { address, token }: Started,
  workspaceId: unknown,
  make: (bot: object) => Promise<string>,
) {
  const headers = headersOf(token)
  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body }),
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status}`)
  }
  const authors: ((round: number) => Promise<void>)[] = []
  for (const makeBot of Object.values(largeBots)) {
    const bot = makeBot() as { groups: { title: string }[] }
    const botId = await make(bot)
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

/** What people who chat feel while one large bot after the other is imported, changed, read and published. */
async function measureCrowd(
  send: Send,
  small: string,
  authors: readonly ((round: number) => Promise<void>)[],
): Promise<void> {
  let isDone = false
  const turnsMs: number[] = []
  const chat = async () => {
    const { sessionId } = await begin(send, small)
    while (!isDone) {
      const sentAt = performance.now()
      await send("POST", `/sessions/${sessionId}/continueChat`, { message: "Still here" })
      turnsMs.push(performance.now() - sentAt)
      await sleep(crowdPauseMs)
    }
  }
  const crowd = Array.from({ length: crowdSize }, chat)
  for (let round = 0; round < rounds; round++) {
    for (const author of authors) await author(round)
  }
  isDone = true
  await Promise.all(crowd)
  turnsMs.sort((one, other) => one - other)
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) =>
    turnsMs[Math.ceil(turnsMs.length * share) - 1]?.toFixed(1),
  )
  console.log(
    `${crowdSize} users meanwhile: ${turnsMs.length} turns, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
  )
}

/** The longest stall of the server since the last time, in milliseconds. */
function longestStall({ process: server }: Started): Promise<number> {
  return new Promise((resolve) => {
    const onData = (data: Buffer) => {
      const stall = /longest stall: ([\d.]+) ms/.exec(data.toString())?.[1]
      if (stall === undefined) return
      server.stdout?.off("data", onData)
      resolve(Number(stall))
    }
    server.stdout?.on("data", onData)
    server.kill("SIGUSR2")
  })
}

/** Medians of both, taken by turns so that whatever else goes on meets both. */
async function compareStarts(send: Send, ...publicIds: [string, string]): Promise<number[]> {
  const took: number[][] = [[], []]
  for (let start = 0; start < starts; start++) {
    for (const [index, publicId] of publicIds.entries()) {
      const startedAt = performance.now()
      await begin(send, publicId)
      took[index]?.push(performance.now() - startedAt)
    }
  }
  return took.map(median)
}

const begin = (send: Send, publicId: string) => send("POST", `/bots/${publicId}/startChat`, {})

function headersOf(token: string) {
  return { authorization: `Bearer ${token}`, "content-type": "application/json" }
}

function sender({ address, token }: Started): Send {
  const headers = headersOf(token)
  return async (method, path, body) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${address}/api/v1${path}`, init)
    const answer = (await response.json()) as Answer
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}
