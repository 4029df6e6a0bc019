/** How long a bot of 4 MB takes to import and to publish, what chats of others feel of it, and a chat on it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { startEmbedded } from "../../src/db/embedded/start.ts"
import { echoFlow } from "./bots.ts"
import { largeBot } from "./largeBot.ts"
import { median } from "./load.ts"
import { type Started, startParley, stopProcess } from "./processes.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const starts = Number(process.env.BENCH_STARTS ?? 200)
const limitMs = 1_000

type Answer = Record<string, unknown>
type Send = (method: string, path: string, body?: object) => Promise<Answer>

/** Prints milliseconds, each with the longest stall of the server and the turns of another chat. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  const server = await startEmbedded({ dataFolder: folder })
  const parley = await startParley({
    DATABASE_URL: server.url,
    PARLEY_SECRET: "only for measuring and nothing is kept",
    PARLEY_RATE_LIMITS: "off",
    NODE_OPTIONS: `--import=${new URL("stalls.mjs", import.meta.url).href}`,
  })
  try {
    const token = /parley_pat_\w+/.exec(parley.output)?.[0] ?? ""
    await measure(parley, sender(parley.address, token))
  } finally {
    await stopProcess(parley)
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(parley: Started, send: Send): Promise<void> {
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
  // The first round is what a service that has just started needs.
  for (let round = 0; round <= rounds; round++) {
    const bot = largeBot()
    let botId = ""
    const imported = await timed(async () => {
      botId = await make(bot)
    })
    const published = await timed(async () => {
      large = await publish(botId)
    })
    const first = await timed(() => begin(send, large))
    const kind = round === 0 ? "cold" : "warm"
    figures.push({ imported, published, first, kind })
  }
  report(figures)
  const [onSmall, onLarge] = (await compareStarts(send, small, large)).map((ms) => ms.toFixed(1))
  console.log(`startChat, median of ${starts}: ${onSmall} ms on 3 blocks, ${onLarge} ms on 5,000`)
}

type Timed = {
  ms: number
  stallMs: number
  /** What the turns of another chat took meanwhile. */
  turnsMs: number[]
}
type Figure = Record<"imported" | "published" | "first", Timed> & { kind: "cold" | "warm" }

function report(figures: readonly Figure[]): void {
  const rows = (["imported", "published", "first"] as const).flatMap((step) =>
    (["cold", "warm"] as const).map((kind) => {
      const own = figures.filter((figure) => figure.kind === kind).map((figure) => figure[step])
      const turns = own.flatMap(({ turnsMs }) => turnsMs).sort((one, other) => one - other)
      const p99 = turns[Math.ceil(turns.length * 0.99) - 1] ?? Number.NaN
      return {
        step: step === "first" ? "first chat" : step,
        kind,
        ms: Math.round(median(own.map(({ ms }) => ms))),
        slowest: Math.round(Math.max(...own.map(({ ms }) => ms))),
        "longest stall ms": Math.round(median(own.map(({ stallMs }) => stallMs))),
        "other chat p50": Number(median(turns).toFixed(1)),
        "other chat p99": Number(p99.toFixed(1)),
      }
    }),
  )
  console.table(rows)
  const slowest = Math.max(...rows.map((row) => row.ms))
  console.log(
    `Demanded: import and publication under ${limitMs} ms: ${slowest < limitMs ? "reached" : "missed"}`,
  )
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
    await work()
    const ms = performance.now() - startedAt
    isDone = true
    await chatting
    return { ms, stallMs: await longestStall(parley), turnsMs }
  }
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

function sender(address: string, token: string): Send {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return async (method, path, body) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${address}/api/v1${path}`, init)
    const answer = (await response.json()) as Answer
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}
