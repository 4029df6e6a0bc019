/** Ask Assistant: a turn with an assistant of OpenAI (Assistants API v2), function calls included. */

import { spend } from "../../../budget/fuel.ts"
import { isFailure, type Outcome, type Script } from "../../../calls.ts"
import { serverScript } from "../../../variables/code.ts"
import { readJson } from "../../../variables/readJson.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Step } from "../../block.ts"
import { pick, pickList, pickText } from "../../json.ts"
import { json, request } from "../api.ts"
import { openAiPost } from "../openAiApi.ts"
import { mapItems, refusal, type Visit } from "../service.ts"
import { assignmentsOf } from "../tools.ts"
import { type AssistantEvent, eventsIn } from "./assistantEvents.ts"
import type { OpenAiOptions } from "./schema.ts"

/** Function calls answered within one turn. */
const maxRounds = 10

/** How far the turn has come. */
type Progress = {
  threadId: string
  round: number
  /** What the assistant has said so far. */
  said: string[]
  runId?: string
  /** Ids of the function calls that are being answered. */
  callIds?: string[]
}

type AssistantStep = Step<"http" | "script">

/** The step that opens a thread, or goes on in the one that is known. */
export function askAssistant(visit: Visit<OpenAiOptions>): AssistantStep {
  const { options, context } = visit
  if (!options.assistantId) return refusal("No assistant is given")
  if (!options.message) return refusal("No message is given")
  const known =
    options.threadVariableId === undefined
      ? undefined
      : context.variables.value(options.threadVariableId)
  const threadId = typeof known === "string" ? known : options.threadId
  return threadId ? startRun(visit, threadId) : post(visit, "/threads", {}, null)
}

/** The step after a request: a run in the new thread, function calls, or what is kept. */
export function assistantAnswered(
  visit: Visit<OpenAiOptions>,
  outcome: Outcome<"http">,
): AssistantStep {
  const answer = readApiAnswer(outcome, "While asking the assistant")
  if ("log" in answer) return { log: [answer.log] }
  const before = progressOf(visit)
  if (!before) {
    const threadId = pickText(answer.data, "id")
    return threadId ? startRun(visit, threadId) : refusal("The assistant opened no thread")
  }
  const events = eventsIn(typeof answer.data === "string" ? answer.data : "")
  const progress = { ...before, said: [...before.said, ...events.flatMap(messageOf)] }
  const failure = events.find(({ name }) => failures.has(name))
  if (failure) return { ...kept(visit, progress), ...refusal(failureOf(failure)) }
  const wanted = events.find(({ name }) => name === "thread.run.requires_action")
  if (!wanted) return kept(visit, progress)
  if (progress.round >= maxRounds) {
    return { ...kept(visit, progress), ...refusal("The assistant calls functions without end") }
  }
  return callFunctions(visit, progress, wanted)
}

/** The step after the functions have run: their results go back. */
export function functionsAnswered(
  visit: Visit<OpenAiOptions>,
  { results }: Outcome<"script">,
): AssistantStep {
  const progress = progressOf(visit)
  if (!progress?.runId) return {}
  const outputs = (progress.callIds ?? []).map((id, index) => ({
    tool_call_id: id,
    output: outputOf(results[index]),
  }))
  const path = `/threads/${progress.threadId}/runs/${progress.runId}/submit_tool_outputs`
  const body = { tool_outputs: outputs, stream: true }
  const step = post(visit, path, body, { ...progress, round: progress.round + 1 })
  const set = results.flatMap((result) =>
    isFailure(result) ? [] : assignmentsOf(result.assigned, visit.context),
  )
  return { ...step, set }
}

function startRun(visit: Visit<OpenAiOptions>, threadId: string): AssistantStep {
  const { options } = visit
  const body = {
    assistant_id: options.assistantId,
    additional_messages: [{ role: "user", content: options.message }],
    ...(options.additionalInstructions
      ? { additional_instructions: options.additionalInstructions }
      : {}),
    // The events of a streamed run come with the answer, so that nobody has to ask again and again.
    stream: true,
  }
  const progress: Progress = { threadId, round: 0, said: [] }
  return post(visit, `/threads/${threadId}/runs`, body, progress)
}

function post(
  visit: Visit<OpenAiOptions>,
  path: string,
  body: object,
  carry: Progress | null,
): AssistantStep {
  const made = openAiPost(visit.options, path, json(body))
  const headers = [
    ...(made.headers ?? []),
    ["OpenAI-Beta", "assistants=v2"] satisfies [string, string],
  ]
  const call = request(visit, { ...made, headers }, { timeoutMs: 120_000, carry })
  return { next: { call } }
}

function callFunctions(
  visit: Visit<OpenAiOptions>,
  progress: Progress,
  { data }: AssistantEvent,
): AssistantStep {
  const calls = pickList(data, "required_action", "submit_tool_outputs", "tool_calls")
  const carry: Progress = {
    ...progress,
    runId: pickText(data, "id") ?? "",
    callIds: calls.map((call) => pickText(call, "id") ?? ""),
  }
  const scripts = calls.map((call) => scriptOf(visit, pick(call, "function")))
  return { next: { call: { kind: "script", scripts, carry } } }
}

function scriptOf({ raw, context }: Visit<OpenAiOptions>, called: unknown): Script {
  const name = pickText(called, "name")
  spend(context.fuel, raw.functions?.length ?? 0)
  const code = raw.functions?.find((entry) => entry.name === name)?.code ?? ""
  const script = serverScript(code, context, "program")
  const given = readJson(pickText(called, "arguments") ?? "")
  return { ...script, globals: { ...script.globals, ...(typeof given === "object" ? given : {}) } }
}

function outputOf(result: Outcome<"script">["results"][number] | undefined): string {
  if (!result) return ""
  if (isFailure(result)) return result.description
  const { value } = result
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

function kept({ options }: Visit<OpenAiOptions>, progress: Progress): Pick<Step, "set"> {
  const { threadId, said } = progress
  const text = withoutSources(said.join("\n\n"))
  const { threadVariableId: variableId } = options
  return {
    set: [
      ...mapItems(options.responseMapping, "Message", {
        Message: said.length > 0 ? text : undefined,
        "Thread ID": threadId,
      }),
      ...(variableId ? [{ variableId, value: threadId }] : []),
    ],
  }
}

/** Marks of sources are `【4:0†file】`; what opens behind the last one never closes. */
function withoutSources(text: string): string {
  const end = text.lastIndexOf("】") + 1
  return text.slice(0, end).replace(/【[^】]*】/g, "") + text.slice(end)
}

function messageOf({ name, data }: AssistantEvent): string[] {
  if (name !== "thread.message.completed") return []
  return pickList(data, "content").flatMap((part) => pickText(part, "text", "value") ?? [])
}

const failures = new Set([
  "error",
  "thread.run.failed",
  "thread.run.cancelled",
  "thread.run.expired",
  "thread.run.incomplete",
])

function failureOf({ name, data }: AssistantEvent): string {
  const reason = pickText(data, "last_error", "message") ?? pickText(data, "message")
  return `The assistant failed: ${reason ?? name}`
}

function progressOf({ context }: Visit<OpenAiOptions>): Progress | undefined {
  const { carry } = context
  const threadId = pickText(carry, "threadId")
  if (threadId === undefined) return undefined
  const round = pick(carry, "round")
  const runId = pickText(carry, "runId")
  return {
    threadId,
    round: typeof round === "number" ? round : 0,
    said: pickList(carry, "said").map(String),
    callIds: pickList(carry, "callIds").map(String),
    ...(runId === undefined ? {} : { runId }),
  }
}
