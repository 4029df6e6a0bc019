/**
 * One author names everything at length and asks for all that repeats these names, one visitor makes it
 * be recorded, each on one connection, while honest users chat with a service as it is installed. The
 * p99 of the honest stays under 250 ms, the process under 600 MB, and nobody is answered with a 5xx.
 * `npx tsx scripts/hostileAuthor.ts [--seconds 60] [--users 8] [--pause 50]`; ends with 1 when anything
 * is wrong.
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { newToken } from "../src/routers/apiTokens.ts"
import { quantile } from "./drills/figures.ts"
import {
  type Crime,
  crimesOfAuthor,
  crimesOfVisitor,
  setScene,
} from "./drills/hostileAuthor/crimes.ts"
import { send } from "./drills/post.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"
import { flowOf, say } from "./drills/siege/flow.ts"
import { openHonestCrowd } from "./drills/siege/honestCrowd.ts"
import { openWatch } from "./drills/siege/watch.ts"

const limits = { p99Ms: 250, residentMegabytes: 600 }
const seconds = numberGiven("seconds", 60)
const users = numberGiven("users", 8)
const pauseMs = numberGiven("pause", 50)
const quietMs = 5_000

/** What was got for one crime. */
type Noted = { statuses: Set<number>; times: number[] }

const token = newToken()
const { folder, remove } = await copyProduct()
const run = await startProduct(folder, {
  PARLEY_BOOTSTRAP_EMAIL: "author@example.com",
  PARLEY_BOOTSTRAP_TOKEN: token,
})
const wrong: string[] = []
try {
  await drill()
} finally {
  run.child.kill("SIGTERM")
  await run.ended
  await remove()
}
for (const sentence of wrong) console.log(`WRONG: ${sentence}`)
process.exit(wrong.length > 0 ? 1 : 0)

async function drill(): Promise<void> {
  const { address } = run
  const author = { address, token, agent: oneConnection() }
  const visitor = { address, agent: oneConnection() }
  const honestPublicId = await publishHonest(address, token)
  const scene = await setScene(author)
  const honest = openHonestCrowd({ address, honestPublicId }, { users, pauseMs })
  await sleep(quietMs)
  const quiet = honest.between(Date.now() - quietMs / 2, Date.now())
  const watch = await openWatch(run.pid)
  const since = Date.now()
  const notes = await Promise.all([
    commitAll(crimesOfAuthor(author, scene), since + 1_000 * seconds),
    commitAll(crimesOfVisitor(visitor, scene), since + 1_000 * seconds),
  ])
  const { peakMegabytes } = await watch.end()
  const met = honest.between(since, Date.now())
  honest.close()
  for (const [name, noted] of notes.flatMap((each) => [...each])) tell(name, noted)
  console.log(`honest p99 ${met.p99Ms} ms, longest ${met.longestMs}, of ${met.answers} answers`)
  console.log(`honest p99 ${quiet.p99Ms} ms beforehand; at most ${peakMegabytes} MB resident`)
  if (met.p99Ms >= limits.p99Ms) wrong.push(`the honest waited: p99 ${met.p99Ms} ms`)
  if (met.failures > 0) wrong.push(`${met.failures} honest requests failed`)
  if (peakMegabytes >= limits.residentMegabytes) wrong.push(`${peakMegabytes} MB resident`)
}

/** One after the other, again and again. */
async function commitAll(
  crimes: readonly Crime[],
  until: number,
): Promise<ReadonlyMap<string, Noted>> {
  const notes = new Map(
    crimes.map(({ name }) => [name, { statuses: new Set(), times: [] } as Noted]),
  )
  while (Date.now() < until) {
    for (const { name, commit } of crimes) {
      const { status, milliseconds } = await commit().catch(() => ({ status: 0, milliseconds: 0 }))
      notes.get(name)?.statuses.add(status)
      notes.get(name)?.times.push(milliseconds)
    }
  }
  return notes
}

function tell(name: string, { statuses, times }: Noted): void {
  const all = [...statuses].toSorted()
  const [median, longest] = [quantile(times, 0.5), Math.max(...times)].map(Math.round)
  console.log(`${name}: ${all.join(", ")}; ${times.length} times, ${median} ms, longest ${longest}`)
  const failed = all.filter((status) => status === 0 || status >= 500)
  if (failed.length > 0) wrong.push(`${name} got ${failed.join(", ")}`)
}

async function publishHonest(address: string, token: string): Promise<string> {
  const call = async (path: string, body?: object) =>
    JSON.parse((await send(`${address}/api/v1${path}`, { token, ...(body && { body }) })).text)
  const { workspace } = await call("/workspaces", { name: "Honest" })
  const asks = { type: "text input", id: "last", outgoingEdgeId: "back" }
  const bot = flowOf([say("Say something"), asks])
  const imported = await call("/bots/import", { workspaceId: workspace.id, bot })
  const { publicId } = await call(`/bots/${imported.bot.id}/publish`, {})
  return publicId as string
}

function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}
