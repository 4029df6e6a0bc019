/** parley results */

import { botArg, countIn, flag, option, printJson, tell } from "./command.ts"
import { copyOut, showProgress } from "./output.ts"
import { printTable } from "./printTable.ts"
import { botIdOf, readList, type Service, serviceCommand } from "./withService.ts"

const usualLimit = 50

export const resultsCommand = serviceCommand({
  name: "results",
  description: "Show the results of a bot, newest first",
  args: {
    bot: botArg,
    json: flag("Print all results as JSON"),
    csv: flag("Print all results as CSV"),
    limit: option(`Most results to show (${usualLimit}; JSON: all)`),
  },
  run: async ({ bot, json, csv, limit }, service) => {
    const usual = json ? Infinity : usualLimit
    const most = limit === undefined ? usual : countIn("--limit", limit)
    if (csv && (json || limit !== undefined)) {
      throw new Error("--csv prints all results: leave out --json and --limit.")
    }
    const botId = await botIdOf(service.client, bot)
    if (csv) return printCsv(service, botId)
    const { items: results, hasMore } = await readList(most, async (size, cursor) => {
      const request = { botId, limit: size, cursor, timeFilter: "allTime" } as const
      const { results: items, ...page } = await service.client.result.list.query(request)
      return { items, ...page }
    })
    if (json) return printJson(results)
    if (results.length === 0) return tell("There are no results yet.")
    const rows = results.map(({ id, createdAt, isCompleted, answers }) => [
      id,
      createdAt.slice(0, 16).replace("T", " "),
      isCompleted ? "yes" : "no",
      answers.map(({ content }) => content).join(" | "),
    ])
    printTable([["ID", "STARTED", "DONE", "ANSWERS"], ...rows])
    if (hasMore) tell("There are more: raise --limit.")
  },
})

/** Copies the export to standard output, no faster than it is read there. */
async function printCsv({ client }: Service, botId: string): Promise<void> {
  const progress = watchProgress()
  const request = { botId, timeFilter: "allTime" } as const
  const { body } = await client.exportResults(request, { onProgress: progress.show })
  if (!body) return
  try {
    await copyOut(body)
    progress.end()
  } catch (cause) {
    // The reader of a pipe, such as `head`, may close it early.
    if (cause instanceof Error && "code" in cause && cause.code === "EPIPE") return
    throw new Error("The export was cut off: what was printed is incomplete.", { cause })
  }
}

/** Shows on a terminal how much has arrived. */
function watchProgress() {
  let bytes = 0
  let shownAt = 0
  const words = () => `${(bytes / 1_000_000).toFixed(1)} MB`
  return {
    show(arrived: number) {
      bytes = arrived
      if (performance.now() - shownAt <= 200) return
      shownAt = performance.now()
      showProgress(words())
    },
    end: () => showProgress(words(), true),
  }
}
