/** parley results */
import type { ParleyClient, ParleyOutputs } from "../client.ts"
import { columns } from "./columns.ts"
import { command, print, printJson, tell } from "./command.ts"
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
    limit: { type: "string", description: `Most results to show (${usualLimit}; JSON: all)` },
    ...serviceArgs,
  },
  run: async ({ bot, json, limit, url, token }, environment) => {
    const most = limit === undefined ? (json ? Infinity : usualLimit) : Number(limit)
    if (!(most >= 1)) throw new Error(`--limit must be a number of results, not "${limit}".`)
    await withService(environment, { url, token }, async (client) => {
      const results = await read(client, await botIdOf(client, bot), most)
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
