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
async function printCsv({ url, token }: Service, botId: string): Promise<void> {
  const path = `/api/v1/bots/${encodeURIComponent(botId)}/results/export?timeFilter=allTime`
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url.replace(/\/$/, "")}${path}`, { headers })
  if (!response.ok || !response.body) {
    const { detail } = (await response.json()) as { detail?: string }
    throw new Error(`${detail ?? `The service answered with status ${response.status}`}.`)
  }
  try {
    await copyOut(withProgress(response.body))
  } catch (cause) {
    // The reader of a pipe, such as `head`, may close it early.
    if (cause instanceof Error && "code" in cause && cause.code === "EPIPE") return
    throw new Error("The export was cut off: what was printed is incomplete.", { cause })
  }
}

/** Shows on a terminal how much has arrived. */
async function* withProgress(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let shownAt = 0
  const words = () => `${(bytes / 1_000_000).toFixed(1)} MB`
  for await (const chunk of data) {
    bytes += chunk.length
    if (performance.now() - shownAt > 200) {
      shownAt = performance.now()
      showProgress(words())
    }
    yield chunk
  }
  showProgress(words(), true)
}
