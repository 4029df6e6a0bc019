/** Reading results while people chat: first pages with each filter, and exports with their memory. */
import { compareChats } from "./beside.ts"
import { median, residentMbOf } from "./load.ts"
import type { Started } from "./processes.ts"

/** A service with results to read. */
export type Readings = { parley: Started; botId: string; users: number; rounds: number }

const repetitions = 20
const sliceMs = 5_000

/** Filters by name; a text that is nowhere has the most to look at. */
const filters: Record<string, string> = {
  none: "",
  completed: "status=completed",
  partial: "status=partial",
  "version 1": "version=1",
  "a frequent text": "search=a",
  "a text that is nowhere": "search=Nowhere-%C3%A4%25_",
}

/** Milliseconds of the first page of fifty with each filter, over all time, and what chats notice. */
export async function measureFilters(readings: Readings) {
  const rows = []
  for (const [filter, query] of Object.entries(filters)) {
    const path = `?timeFilter=allTime&limit=50&${query}`
    const times: number[] = []
    let found = 0
    for (let count = 0; count < repetitions; count++) {
      const startedAt = performance.now()
      const body = await (await get(readings, path)).json()
      times.push(performance.now() - startedAt)
      found = (body as { results: unknown[] }).results.length
    }
    const chats = await compareChats({ ...readings, sliceMs }, async (signal) => {
      await (await get(readings, path, signal)).arrayBuffer()
    })
    rows.push({ filter, "median ms": tenths(median(times)), "results on it": found, ...chats })
  }
  console.table(rows)
  return rows
}

/** A table of all versions begins with the list of them; the others with pages at once. */
const exportQueries = ["format=csv", "format=csv&version=1", "format=ndjson"]

/** Rate of exports, the memory of the process before and at most, and what chats notice. */
export async function measureExports(readings: Readings) {
  const { parley } = readings
  const rows = []
  for (const query of exportQueries) {
    const before = await residentMbOf(parley.pid)
    let most = before
    const watch = setInterval(async () => {
      most = Math.max(most, await residentMbOf(parley.pid))
    }, 100)
    const chats = await compareChats({ ...readings, sliceMs }, (signal) =>
      exportOnce(readings, query, signal),
    )
    const alone = await exportOnce(readings, query)
    clearInterval(watch)
    rows.push({
      export: query,
      MB: tenths(alone.bytes / 1e6),
      "results/s": Math.round(alone.lines / alone.seconds),
      "memory before, MB": Math.round(before),
      "at most, MB": Math.round(most),
      ...chats,
    })
  }
  console.table(rows)
  return rows
}

async function exportOnce(readings: Readings, query: string, signal?: AbortSignal) {
  const startedAt = performance.now()
  const { body } = await get(readings, `/export?timeFilter=allTime&${query}`, signal)
  let bytes = 0
  let lines = 0
  for await (const chunk of body ?? []) {
    const part = Buffer.from(chunk)
    bytes += part.length
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines += 1
  }
  return { bytes, lines, seconds: (performance.now() - startedAt) / 1_000 }
}

async function get(
  { parley, botId }: Readings,
  path: string,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { authorization: `Bearer ${parley.token}` }
  const address = `${parley.address}/api/v1/bots/${botId}/results${path}`
  const response = await fetch(address, { headers, signal })
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
  return response
}

const tenths = (value: number) => Number(value.toFixed(1))
