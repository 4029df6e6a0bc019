/** How long the diff of two flows takes that are as large as flows may be. */

import { diffFlows } from "../../src/authoring/diff/diffFlows.ts"
import { diffMarkdown } from "../../src/authoring/diff/markdown.ts"
import { readFlow } from "../../src/authoring/upgrade/validateFlow.ts"
import type { Flow } from "../../src/engine/bot.ts"
import { largeBots } from "./largeBot.ts"
import { median } from "./load.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const limitMs = 200

/** What may lie between two flows. */
const edits: Readonly<Record<string, (flow: Flow) => Flow>> = {
  nothing: (flow) => flow,
  "a title": (flow) => {
    for (const group of flow.groups.slice(0, 1)) group.title = "Renamed"
    return flow
  },
  "every text": (flow) => JSON.parse(JSON.stringify(flow).replaceAll('"text":"', '"text":"And: ')),
  "every position": (flow) => {
    for (const { blocks } of flow.groups.reverse()) blocks.reverse()
    return flow
  },
  "every id": (flow) => JSON.parse(JSON.stringify(flow).replaceAll('"id":"', '"id":"new')),
}

/** Prints milliseconds of processor time; others may be at work on the same machine. */
export function run(): void {
  const figures = Object.entries(largeBots).flatMap(([bot, make]) =>
    Object.entries(edits).map(([changed, edit]) => {
      const [before, after] = [readFlow(make()), edit(readFlow(make()))]
      const changes = diffFlows(before, after)
      const times = Array.from({ length: rounds }, () => timed(() => diffFlows(before, after)))
      const report = timed(() => diffMarkdown(changes))
      return {
        bot,
        changed,
        blocks: before.groups.reduce((sum, { blocks }) => sum + blocks.length, 0),
        changes: changes.length,
        "diff, ms": Math.round(median(times)),
        slowest: Math.round(Math.max(...times)),
        "report, ms": Math.round(report),
      }
    }),
  )
  console.table(figures)
  const isReached = figures.every((figure) => figure["diff, ms"] < limitMs)
  console.log(`Demanded: less than ${limitMs} ms: ${isReached ? "reached" : "missed"}`)
  console.log(`Median of ${rounds} rounds; Node ${process.version}.`)
}

function timed(work: () => void): number {
  const startedAt = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1000
}
