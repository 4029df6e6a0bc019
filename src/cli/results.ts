/** parley results */
import type { ParleyClient, ParleyOutputs } from "../client.ts"
import { columns } from "./columns.ts"
import { command, print, printJson, tell } from "./command.ts"
import { copyOut, showProgress } from "./output.ts"
import { botIdOf, serviceArgs, withService } from "./withService.ts"

type Result = ParleyOutputs["result"]["list"]["results"][number]

const pageSize = 100
const usualLimit = 50

/** Shows what people have answered. */
export const resultsCommand = command({
  name: "results",
  description: "Show the results of a bot, newest first",
  args: {
    bot: { type: "positional", description: "Id or public id of the bot", required: true },
    json: { type: "boolean", description: "Print all of them as JSON", default: false },
    csv: { type: "boolean", description: "Print all of them as a table for files", default: false },
    limit: { type: "string", description: `Most results to show (${usualLimit}; JSON: all)` },
    ...serviceArgs,
  },
  run: async ({ bot, json, csv, limit, url, token }, environment) => {
    const most = limit === undefined ? (json ? Infinity : usualLimit) : Number(limit)
    if (!(most >= 1)) throw new Error(`--limit must be a number of results, not "${limit}".`)
    if (csv && (json || limit !== undefined)) {
      throw new Error("--csv prints all results: leave --json and --limit out.")
    }
    await withService(environment, { url, token }, async (client, service, key) => {
      const botId = await botIdOf(client, bot)
      if (csv) return printCsv({ url: service, token: key }, botId)
      const results = await read(client, botId, most)
      if (json) return printJson(results)
      if (results.length === 0) return tell("There are no results yet.")
      const rows = results.map(({ id, createdAt, isCompleted, answers }) => [
        id,
        createdAt.slice(0, 16).replace("T", " "),
        isCompleted ? "yes" : "no",
        answers.map(({ content }) => content).join(" | "),
      ])
      for (const line of columns([["ID", "STARTED", "DONE", "ANSWERS"], ...rows])) print(line)
    })
  },
})

async function read(client: ParleyClient, botId: string, most: number): Promise<Result[]> {
  const results: Result[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(pageSize, most - results.length)
    const page = await client.result.list.query({ botId, limit, cursor, timeFilter: "allTime" })
    results.push(...page.results)
    cursor = page.nextCursor
  } while (cursor !== undefined && results.length < most)
  return results
}

/** Copies the export to standard output, as fast as that takes it. */
async function printCsv(
  { url, token }: { url: string; token: string },
  botId: string,
): Promise<void> {
  const path = `/api/v1/bots/${encodeURIComponent(botId)}/results/export?timeFilter=allTime`
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url.replace(/\/$/, "")}${path}`, { headers })
  if (!response.ok || !response.body) {
    const { detail } = (await response.json()) as { detail?: string }
    throw new Error(`${detail ?? `The service answers ${response.status}`}.`)
  }
  try {
    await copyOut(withProgress(response.body))
  } catch (cause) {
    // The reader of a pipe, such as `head`, may close it early.
    if (cause instanceof Error && "code" in cause && cause.code === "EPIPE") return
    throw new Error("The export broke off: what was printed is not complete.", { cause })
  }
}

/** Says on a terminal how much has come. */
async function* withProgress(data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let told = 0
  const words = () => `${(bytes / 1_000_000).toFixed(1)} MB`
  for await (const chunk of data) {
    bytes += chunk.length
    if (performance.now() - told > 200) {
      told = performance.now()
      showProgress(words())
    }
    yield chunk
  }
  showProgress(words(), true)
}
