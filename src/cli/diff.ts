/** parley diff */
import { diffFlows } from "../authoring/diff/diffFlows.ts"
import { diffMarkdown } from "../authoring/diff/diffMarkdown.ts"
import type { FlowChange } from "../authoring/diff/diffSchemas.ts"
import type { ParleyClient } from "../client.ts"
import type { Flow } from "../engine/bot.ts"
import { inOneLine } from "../workshop/report/failureLines.ts"
import { readFlowFile, storedFlow } from "./botFile.ts"
import { command, countIn, flag, jsonArg, option, print, printJson, tell, word } from "./command.ts"
import { botIdOf, serviceArgs, withService } from "./withService.ts"

export const diffCommand = command({
  name: "diff",
  description:
    "Compare the bots in two files, a bot on a running service with a file, or two of its versions",
  args: {
    bot: word("File, or id or public id of a bot"),
    file: { ...word("The newer file, or bot"), required: false },
    from: option("Version to start from: a number, live or draft (live)"),
    to: option("Version to compare with it: a number, live or draft (draft)"),
    markdown: flag("Print a report for a pull request"),
    json: jsonArg,
    "exit-code": flag("Exit with code 1 if they differ"),
    ...serviceArgs,
  },
  run: async ({ bot, file, from, to, markdown, json, url, token, ...args }, environment) => {
    const show = (changes: readonly FlowChange[]) => {
      if (json) printJson(changes)
      else if (markdown) print(diffMarkdown(changes).trimEnd())
      else changes.map(lineOf).forEach(print)
      if (changes.length === 0 && !json && !markdown) tell("There is no difference.")
      if (changes.length > 0 && args["exit-code"]) process.exitCode = 1
    }
    if (file === undefined) {
      if (isFile(bot)) {
        throw new Error(`${bot} is a file: name the newer one too, \`parley diff ${bot} <file>\`.`)
      }
      return await withService(environment, { url, token }, async ({ client }) => {
        const request = { botId: await botIdOf(client, bot), from, to }
        const { changes = [] } = await client.version.diff.query(request)
        show(changes)
      })
    }
    const [isOlderFile, isNewerFile] = [isFile(bot), isFile(file)]
    if ((isOlderFile && from !== undefined) || (isNewerFile && to !== undefined)) {
      throw new Error("Files have no versions: leave --from and --to out.")
    }
    if (isOlderFile && isNewerFile) return show(diffFlows(await flowIn(bot), await flowIn(file)))
    await withService(environment, { url, token }, async ({ client }) => {
      const read = (named: string, isFileName: boolean, version: string | undefined) =>
        isFileName ? flowIn(named) : flowOn(client, named, version)
      show(diffFlows(await read(bot, isOlderFile, from), await read(file, isNewerFile, to)))
    })
  },
})

/** No id and no public id has a dot or a slash. */
function isFile(named: string): boolean {
  return /[./\\]|^-$/.test(named)
}

/** The draft of a bot, the version that is live, or one by its number. */
async function flowOn(client: ParleyClient, named: string, version = "draft"): Promise<Flow> {
  const botId = await botIdOf(client, named)
  const raw = await rawOf(client, botId, version)
  const flow = storedFlow(raw)
  if (flow === undefined) throw new Error(`${named} is no bot that can be compared.`)
  return flow
}

async function rawOf(client: ParleyClient, botId: string, version: string): Promise<unknown> {
  if (version === "draft") return (await client.bot.get.query({ botId })).bot
  if (version === "live") return (await client.publishedBot.get.query({ botId })).publishedBot
  const number = countIn("A version", version)
  return (await client.version.get.query({ botId, number })).version.bot
}

async function flowIn(path: string): Promise<Flow> {
  try {
    return await readFlowFile(path)
  } catch (error) {
    const { message } = error as Error
    throw new Error(message.includes(path) ? message : `${path}: ${message}`, { cause: error })
  }
}

/** A change in one line: what happened, where, and the texts before and after. */
function lineOf({ kind, what, place, label, path, before, after }: FlowChange): string {
  const thing = what === "edge" ? `edge of ${place}` : place
  const member = label ?? path
  const texts = [before, after]
    .map((text) => text && JSON.stringify(inOneLine(text)))
    .filter(Boolean)
  return `${kind} ${thing}${member ? ` (${member})` : ""}${texts.length > 0 ? `: ${texts.join(" → ")}` : ""}`
}
