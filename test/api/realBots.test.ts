/** Bots that others made, where a folder with some lies beside the project: kept whole, walked through. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { chatOver, publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

type Json = Record<string, unknown>

type Block = { id: string; type: string; options?: Json; items?: { content?: Json }[] }

/** A bot as an export of version 6 has it. */
type Export = Json & {
  groups: { blocks: Block[] }[]
  variables: { id: string; name: string }[]
}

type Walk = {
  answers: string[]
  last: Step
  /** Ids of the texts that were shown and the inputs that were asked. */
  seen: string[]
  /** Status and words of what was logged for its result. */
  logs: { status: string; description: string }[]
}

const folder = join(import.meta.dirname, "../../../shared/bots")
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : []

// The folder is no part of the project: a copy without it has nothing to test here.
if (files.length === 0)
  test("without the folder there is nothing to walk", () => expect(files).toEqual([]))
else await describeAll()

async function describeAll(): Promise<void> {
  const server = await testServer()
  const read = async (path: string) => (await server.send("GET", `/api/v1${path}`)).body as Json

  describe.each(files)("%s", (file) => {
    const sent = JSON.parse(readFileSync(join(folder, file), "utf8")) as Export
    const { name, icon, events, groups, edges, theme, variables } = sent

    test("is kept word for word, apart from what the answers decide", async () => {
      const { botId } = await publishBot(server, sent)
      const draft = (await read(`/bots/${botId}`)).bot as Json
      const { publishedBot } = (await read(`/bots/${botId}/publishedBot`)) as { publishedBot: Json }
      const kept = { version: "6", events, groups, edges, theme }
      for (const bot of [draft, publishedBot]) {
        expect(Object.fromEntries(Object.keys(kept).map((key) => [key, bot[key]]))).toEqual(kept)
        expect(bot.settings).toEqual(sent.settings)
        expect(bot.variables).toEqual(variables.map((each) => withSessionFlag(each, sent)))
      }
      expect(draft).toMatchObject({ name, icon, resultsTablePreferences: null })
    })

    test("shows every text, asks every input and ends on every branch", async () => {
      const { publicId, botId } = await publishBot(server, unreachable(sent))
      const run = async (prefilledVariables: Json, answers: string[]): Promise<Walk> => {
        const chat = await chatOver(server, publicId, { prefilledVariables })
        const steps = [chat.step]
        for (const answer of answers) {
          const { status, body } = await chat.say(answer)
          expect(status, JSON.stringify(body)).toBe(200)
          steps.push(body)
        }
        const [{ resultId } = chat.step] = steps
        const { logs } = await read(`/bots/${botId}/results/${resultId}/logs`)
        const seen = steps.flatMap(({ messages, input }) => [
          ...messages.map(({ id }) => id),
          ...(input ? [input.id] : []),
        ])
        const last = steps.at(-1) ?? chat.step
        return { answers, last, seen, logs: logs as Walk["logs"] }
      }
      const walks = await explore(sent, run)
      const seen = new Set(walks.flatMap((walk) => walk.seen))
      expect(visibleBlocks(sent).filter((id) => !seen.has(id))).toEqual([])
      const ended = walks.filter(({ last }) => last.input === undefined)
      expect(ended.length).toBeGreaterThanOrEqual(Math.max(1, conditionsOf(sent).length))
      for (const { answers, logs } of ended) {
        // Each way to an end leads over an HTTP block, which fails, and the flow went on.
        expect(
          logs.filter(({ status }) => status === "error").length,
          `${answers}`,
        ).toBeGreaterThan(0)
      }
    })
  })
}

/** Every answer to every input, and every value that a condition asks for, each at least once. */
async function explore(
  bot: Export,
  run: (prefilled: Json, answers: string[]) => Promise<Walk>,
): Promise<Walk[]> {
  const conditions = conditionsOf(bot)
  const words = [...new Set(conditions.map(({ value }) => value))]
  const walks: Walk[] = []
  const tried = new Set<string>()
  const open: string[][] = [[]]
  for (let answers = open.pop(); answers; answers = open.pop()) {
    const walk = await run({}, answers)
    walks.push(walk)
    for (const answer of candidates(walk.last, words)) {
      const key = `${walk.last.input?.id} ${answer}`
      if (!tried.has(key)) open.push([...answers, answer])
      tried.add(key)
    }
  }
  for (const { name, value } of conditions) {
    const answers: string[] = []
    for (let turns = 0; turns < 8; turns++) {
      const walk = await run({ [name]: value }, answers)
      const answer = candidates(walk.last, [])[0]
      if (answer === undefined || turns === 7) walks.push(walk)
      if (answer === undefined) break
      answers.push(answer)
    }
  }
  return walks
}

/** What can be answered to the input of a step: something valid first, then all else. */
function candidates({ input }: Step, words: readonly string[]): string[] {
  if (input === undefined) return []
  if (input.type === "phone number input") return ["+55 11 91234-5678", "no number"]
  return ["Ann", ...words]
}

function conditionsOf(bot: Export): { name: string; value: string }[] {
  const items = blocksOf(bot).flatMap(({ type, items }) =>
    type === "Condition" ? (items ?? []) : [],
  )
  return items.flatMap(({ content }) =>
    (content?.comparisons as { variableId: string; value: string }[]).map(
      ({ variableId, value }) => ({
        name: bot.variables.find(({ id }) => id === variableId)?.name ?? "",
        value,
      }),
    ),
  )
}

function blocksOf({ groups }: Export): Block[] {
  return groups.flatMap(({ blocks }) => blocks)
}

function visibleBlocks(bot: Export): string[] {
  const isVisible = ({ type }: Block) => type === "text" || type.endsWith(" input")
  return blocksOf(bot)
    .filter(isVisible)
    .map(({ id }) => id)
}

/** Answers are always kept in results, so their variables are no session variables. */
function withSessionFlag(variable: { id: string }, bot: Export): object {
  const isAnswer = blocksOf(bot).some(
    ({ type, options }) => type.endsWith(" input") && options?.variableId === variable.id,
  )
  return isAnswer ? { ...variable, isSessionVariable: false } : variable
}

/** The same with its requests sent to this machine, where the network guard refuses them. */
function unreachable(bot: Export): Export {
  return JSON.parse(
    JSON.stringify(bot).replace(/https?:\/\/[\w.-]+/g, "http://127.0.0.1:9"),
  ) as Export
}
