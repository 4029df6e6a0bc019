/** Makes a test of a conversation recorded by a service, by replaying it offline. */
import type { Flow } from "../../engine/bot.ts"
import type { describeTrace } from "../../engine/recorded/describeTrace.ts"
import type { ConversationLine } from "../../engine/recorded/rebuildConversation.ts"
import { AppError } from "../../lib/errors.ts"
import { pickList, pickText, putAt } from "../../lib/foreignJson.ts"
import { awaitsCall, type RunScripts } from "../play/play.ts"
import { type AnsweredJson, readAnswer } from "./answers.ts"
import type { MadeUp } from "./madeUp.ts"
import { type Answered, type Asked, openRecording, type RecordedTest } from "./openRecording.ts"

/** A service's record of a conversation. */
export type ChatRecord = {
  /** Milliseconds since 1970. */
  startedAt: number
  lines: readonly (Pick<ConversationLine, "from" | "blockId" | "text"> & { wasPaused?: boolean })[]
  turns: readonly Pick<TracedTurn, "calls" | "variables">[]
}

type TracedTurn = ReturnType<typeof describeTrace>

export type TestOfChat = {
  test: RecordedTest
  /** Remarks about missing data, before the stubs concerned. */
  remarks: { path: (string | number)[]; text: string }[]
  /** Remarks about the whole conversation. */
  head: string[]
}

/** Time limit of a replay. */
const maxMs = 60_000

type Parts = { flow: Flow; runScripts: RunScripts; madeUp: MadeUp | undefined }

/** Replays the conversation with the original or made-up replies. */
export async function recordFromChat(record: ChatRecord, parts: Parts): Promise<TestOfChat> {
  const { flow, runScripts, madeUp } = parts
  const remarks: TestOfChat["remarks"] = []
  const outside = createRecordedOutside(record, parts)
  const counts = { http: 0, calls: 0 }
  const recording = openRecording({
    flow,
    runScripts,
    clock: record.startedAt,
    seed: 0,
    answer: async (asked) => {
      const list = asked.kind === "http" ? "http" : "calls"
      const { answer, todo } = outside(asked)
      const path = [list, counts[list]++]
      if (todo !== undefined) remarks.push({ path, text: `TODO: ${todo}` })
      return answer
    },
  })
  const shown: string[] = []
  /** A refusal ends the conversation before the refused message. */
  const isTaken = async (turns: () => ReturnType<typeof recording.say>) => {
    try {
      const taken = await turns()
      for (const { messages } of taken) shown.push(...messages.map(({ id }) => id))
      return taken.length > 0
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
  await isTaken(() => recording.say(undefined))
  const replies = record.lines.filter(
    ({ from, blockId, wasPaused }) => from === "person" && blockId !== undefined && !wasPaused,
  )
  let said = 0
  const end = performance.now() + maxMs
  for (const { text } of replies) {
    if (performance.now() > end) break
    const turn = recording.turn()
    if (turn?.isWaiting && awaitsCall(turn)) await isTaken(() => recording.receive({}))
    const { input } = recording.turn() ?? {}
    if (!input) break
    const reply = madeUp?.reply(text, input) ?? text
    if (!(await isTaken(() => recording.say({ type: "text", text: reply })))) break
    said += 1
  }
  const head = [
    "Made of a recorded conversation. Its record lacks prefilled variables and refused replies.",
  ]
  if (said < replies.length)
    head.push(`TODO: the bot accepts ${said} of ${replies.length} replies.`)
  const recorded = record.lines.flatMap(({ from, blockId }) => (from === "bot" && blockId) || [])
  const same = shown.findIndex((id, index) => id !== recorded[index])
  if (same >= 0 || shown.length < recorded.length) {
    const count = same < 0 ? shown.length : same
    head.push(`TODO: the bot deviated after ${count} of its ${recorded.length} messages.`)
  }
  return { test: recording.test(), remarks, head }
}

/** Answers calls from the record: derived from the variables that the block set. */
function createRecordedOutside({ turns }: ChatRecord, { flow, madeUp }: Parts) {
  const left = turns.flatMap(({ calls, variables }) =>
    calls.map((call) => ({
      ...call,
      set: variables.filter(({ blockId }) => blockId === call.blockId),
    })),
  )
  return (asked: Asked): { answer: Answered; todo?: string } => {
    const place = left.findIndex(({ kind }) => kind === asked.kind)
    const made = left.splice(0, place + 1).at(-1)
    const usual = readAnswer(asked, "")
    if (!made) return { answer: usual, todo: "the record has no such call" }
    const { status, httpStatus = 200, blockId, set } = made
    if (status === "failed") return { answer: { fail: "It failed in the recorded conversation" } }
    const values = set.map((each) => ({ ...each, value: madeUp?.value(each.value) ?? each.value }))
    const unknown = "the record lacks the answer"
    if (asked.kind === "http") {
      const { json, isWhole } = bodyFor(flow, blockId, values)
      const answer = { status: httpStatus, json: json as AnsweredJson }
      return isWhole ? { answer } : { answer, todo: unknown }
    }
    if (asked.kind === "model") {
      const [only, ...others] = values
      return typeof only?.value === "string" && others.length === 0
        ? { answer: { text: only.value } }
        : { answer: usual, todo: unknown }
    }
    return asked.kind === "sheet" ? { answer: usual, todo: unknown } : { answer: usual }
  }
}

/** A body from which a block would set these values; not whole: some values or their paths are unknown. */
function bodyFor(flow: Flow, blockId: string | undefined, values: TracedTurn["variables"]) {
  const block = flow.groups.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId)
  const root: { data?: unknown } = {}
  let isWhole = block !== undefined
  for (const mapped of pickList(block, "options", "responseVariableMapping")) {
    const bodyPath = pickText(mapped, "bodyPath")
    if (bodyPath === undefined || bodyPath === "statusCode") continue
    const variableId = pickText(mapped, "variableId")
    const value = values.find((each) => each.variableId === variableId)?.value
    const isPath = /^data(?:\.[A-Za-z]\w{0,99}){0,20}$/.test(bodyPath)
    if (value === undefined || !isPath) isWhole = false
    else putAt(root, bodyPath.split("."), value)
  }
  return { json: root.data ?? {}, isWhole }
}
