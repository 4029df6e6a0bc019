/** parley replay */
import { setTimeout as sleep } from "node:timers/promises"
import type { ReplayReport } from "../results/replay/difference.ts"
import { joinReports } from "../results/replay/report.ts"
import { inOneLine } from "../workshop/report/failureLines.ts"
import { readBotFile } from "./botFile.ts"
import { botArg, flag, jsonArg, option, printJson, tell } from "./command.ts"
import { showProgress } from "./output.ts"
import { printTable } from "./printTable.ts"
import { botIdOf, type Service, serviceCommand } from "./withService.ts"

export const replayCommand = serviceCommand({
  name: "replay",
  description: "Replay recorded conversations with the draft: what would differ, and for whom",
  args: {
    bot: botArg,
    since: { ...option("How far back: 7d, 12h or 30m"), default: "7d" },
    against: {
      ...option("What to compare with: draft, live, the number of a version, or a file"),
      default: "draft",
    },
    json: jsonArg,
    "exit-code": flag("Exit with code 1 if there are differences"),
  },
  run: async ({ bot, since, against, json, ...args }, service) => {
    const from = new Date(Date.now() - millisecondsIn(since)).toISOString()
    const other = await otherIn(against)
    const botId = await botIdOf(service.client, bot)
    const report = await readReport(service, { botId, from, ...other })
    if (json) printJson(report)
    else printReport(report)
    if (report.differences.length > 0 && args["exit-code"]) process.exitCode = 1
  },
})

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function millisecondsIn(since: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(since) ?? []
  const length = units[unit]
  if (count !== undefined && length !== undefined) return Number(count) * length
  throw new Error(`--since must be a time such as 7d, 12h or 30m, not "${since}".`)
}

/** What the request compares with: a version by its name, or the bot of a file. */
async function otherIn(against: string): Promise<{ against?: string; bot?: unknown }> {
  if (/^(?:draft|live|[1-9]\d{0,8})$/.test(against)) return { against }
  return { bot: (await readBotFile(against)).raw }
}

type Request = { botId: string; from: string; against?: string; bot?: unknown }

/** As many pages a second as a service with rate limits lets one token ask for. */
const pauseMs = 500

async function readReport({ client }: Service, request: Request): Promise<ReplayReport> {
  let report: ReplayReport = joinReports([])
  let cursor: string | undefined
  do {
    const paused = sleep(pauseMs, undefined, { ref: false })
    const asked = { ...request, limit: 200, cursor }
    const { nextCursor, ...page } = await client.result.replay.mutate(asked)
    report = joinReports([report, page])
    cursor = nextCursor
    showProgress(`${report.conversations} conversations`)
    if (cursor !== undefined) await paused
  } while (cursor !== undefined)
  showProgress("", true)
  return report
}

function printReport({ conversations, unchanged, differences, notReplayed }: ReplayReport): void {
  const rows = differences.map(({ kind, variable, before, after, ...seen }) => [
    String(seen.conversations),
    String(seen.answersChanged),
    kind,
    (before ?? after)?.groupTitle ?? (after ?? before)?.groupTitle ?? variable ?? "",
    [before, after].map((place) => JSON.stringify(inOneLine(place?.excerpt ?? ""))).join(" → "),
    seen.examples.slice(0, 2).join(" "),
  ])
  const titles = ["PEOPLE", "ANSWERS", "KIND", "PLACE", "BEFORE → AFTER", "EXAMPLES"]
  if (rows.length > 0) printTable([titles, ...rows])
  const differing = differences.reduce((sum, each) => sum + each.conversations, 0)
  tell(`${differing} of ${conversations} conversations would differ, ${unchanged} would not.`)
  for (const { reason, conversations: count } of notReplayed) {
    tell(`${count} could not be replayed: ${reasons[reason]}.`)
  }
}

const reasons: Readonly<Record<ReplayReport["notReplayed"][number]["reason"], string>> = {
  oldRecord: "an earlier release recorded them",
  cutRecord: "their record was cut",
  versionDeleted: "the version that they ran is gone",
  continued: "a later chat went on with their result",
  steered: "something else than a reply decided where they went",
  unrecorded: "values decided that results do not keep",
  diverged: "their version does not go the recorded way again",
  tooLong: "they take too much time or memory",
}
