/** Ask Assistant: a turn with an assistant of OpenAI (Assistants API v2), function calls included. */

import { pick, pickList, pickText, readJson } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { spend } from "../../../budget/fuel.ts"
import { assignTo, isFailure, type Outcome, type Script } from "../../../calls.ts"
import { namedAssignments, serverScript } from "../../../variables/code.ts"
import { json, request, segment } from "../../api.ts"
import type { Step } from "../../block.ts"
import { openAiPost } from "../models/openAiApi.ts"
import {
  type ActionContext,
  carried,
  mapItems,
  type Results,
  refusal,
  type ServiceAction,
  type ServiceStep,
  savedText,
} from "../serviceBlock.ts"
import type { OpenAiOptions } from "./schema.ts"

type AssistantAction = ActionContext<OpenAiOptions>

/** Max rounds of function calls in one turn. */
const maxRounds = 10

/** The state of the turn. */
type Progress = {
  threadId: string
  round: number
  /** Messages of the assistant so far. */
  said: string[]
  runId?: string
  /** Ids of the open function calls. */
  callIds?: string[]
}

export const askAssistant: ServiceAction<OpenAiOptions> = {
  activity: "While asking the assistant",
  run: ask,
  resume: { http: answered, script: functionsAnswered },
}

/** Opens a thread, or continues the known one. */
function ask(action: AssistantAction): ServiceStep {
  const { options, context } = action
  if (!options.assistantId) return refusal("No assistant is given")
  if (!options.message) return refusal("No message is given")
  const threadId = savedText(options.threadVariableId, context) ?? options.threadId
  return threadId ? startRun(action, threadId) : post(action, "/threads", {}, null)
}

/** After a request: a run in the new thread, function calls, or the values to store. */
function answered(action: AssistantAction, { data }: Results["http"]): ServiceStep {
  const before = carried<Progress>(action.context)
  if (!before) {
    const threadId = pickText(data, "id")
    return threadId ? startRun(action, threadId) : refusal("The assistant opened no thread")
  }
  const events = eventsIn(typeof data === "string" ? data : "")
  const progress = { ...before, said: [...before.said, ...events.flatMap(messageOf)] }
  const failure = events.find(({ name }) => failures.test(name))
  if (failure) return { ...kept(action, progress), ...refusal(failureOf(failure)) }
  const wanted = events.find(({ name }) => name === "thread.run.requires_action")
  if (!wanted) {
    const isWhole = events.some(({ name }) => name === "thread.run.completed")
    const brokeOff = !isWhole && progress.said.length === 0
    return {
      ...kept(action, progress),
      ...(brokeOff ? refusal("The answer of the assistant broke off") : {}),
    }
  }
  if (progress.round >= maxRounds) {
    return {
      ...kept(action, progress),
      ...refusal("The assistant made too many rounds of function calls"),
    }
  }
  return callFunctions(action, progress, wanted)
}

/** After the functions have run: their results go back. */
function functionsAnswered(action: AssistantAction, { results }: Outcome<"script">): ServiceStep {
  const progress = carried<Progress>(action.context)
  if (!progress?.runId) return {}
  const outputs = (progress.callIds ?? []).map((id, index) => ({
    tool_call_id: id,
    output: outputOf(results[index]),
  }))
  const path = `/threads/${segment(progress.threadId)}/runs/${segment(progress.runId)}/submit_tool_outputs`
  const body = { tool_outputs: outputs, stream: true }
  const step = post(action, path, body, { ...progress, round: progress.round + 1 })
  const set = results.flatMap((result) =>
    isFailure(result) ? [] : namedAssignments(result.assigned, action.context),
  )
  return { ...step, set }
}

function startRun(action: AssistantAction, threadId: string): ServiceStep {
  const { options } = action
  const body = {
    assistant_id: options.assistantId,
    additional_messages: [{ role: "user", content: options.message }],
    ...nonEmpty({ additional_instructions: options.additionalInstructions }),
    // A streamed run brings its events with the answer, so there is no need to poll.
    stream: true,
  }
  const progress: Progress = { threadId, round: 0, said: [] }
  return post(action, `/threads/${segment(threadId)}/runs`, body, progress)
}

function post(
  action: AssistantAction,
  path: string,
  body: object,
  carry: Progress | null,
): ServiceStep {
  const httpRequest = openAiPost(action.options, path, json(body))
  const headers = [
    ...(httpRequest.headers ?? []),
    ["OpenAI-Beta", "assistants=v2"] satisfies [string, string],
  ]
  return request(action, { ...httpRequest, headers }, { timeoutMs: 120_000, carry })
}

function callFunctions(
  action: AssistantAction,
  progress: Progress,
  { data }: AssistantEvent,
): ServiceStep {
  const calls = pickList(data, "required_action", "submit_tool_outputs", "tool_calls")
  const carry: Progress = {
    ...progress,
    runId: pickText(data, "id") ?? "",
    callIds: calls.map((call) => pickText(call, "id") ?? ""),
  }
  const scripts = calls.map((call) => scriptOf(action, pick(call, "function")))
  return { next: { call: { kind: "script", scripts, carry } } }
}

function scriptOf({ raw, context }: AssistantAction, called: unknown): Script {
  const name = pickText(called, "name")
  spend(context.fuel, raw.functions?.length ?? 0)
  const code = raw.functions?.find((entry) => entry.name === name)?.code ?? ""
  const script = serverScript(code, context)
  const given = readJson(pickText(called, "arguments") ?? "")
  // Variables win: visitors talk to the model, which may give arguments of any name.
  return { ...script, globals: { ...(typeof given === "object" ? given : {}), ...script.globals } }
}

function outputOf(result: Outcome<"script">["results"][number] | undefined): string {
  if (!result) return ""
  if (isFailure(result)) return result.description
  const { value } = result
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

function kept({ options }: AssistantAction, progress: Progress): Pick<Step, "set"> {
  const { threadId, said } = progress
  const text = withoutSources(said.join("\n\n"))
  return {
    set: [
      ...mapItems(options.responseMapping, "Message", {
        Message: said.length > 0 ? text : undefined,
        "Thread ID": threadId,
      }),
      ...assignTo(options.threadVariableId, threadId),
    ],
  }
}

/** Removes citation marks such as `【4:0†file】`. A mark that opens after the last `】` never closes. */
function withoutSources(text: string): string {
  const end = text.lastIndexOf("】") + 1
  return text.slice(0, end).replace(/【[^】]*】/g, "") + text.slice(end)
}

function messageOf({ name, data }: AssistantEvent): string[] {
  if (name !== "thread.message.completed") return []
  return pickList(data, "content").flatMap((part) => pickText(part, "text", "value") ?? [])
}

const failures = /^(?:error|thread\.run\.(?:failed|cancelled|expired|incomplete))$/

function failureOf({ name, data }: AssistantEvent): string {
  const reason = pickText(data, "last_error", "message") ?? pickText(data, "message")
  return `The assistant failed: ${reason ?? name}`
}

type AssistantEvent = { name: string; data: unknown }

/** The server-sent events of a whole body, in order (WHATWG HTML, "Server-sent events"). */
function eventsIn(body: string): AssistantEvent[] {
  return body.split(/\r?\n\r?\n/).flatMap((block) => {
    const fields = block.split(/\r?\n/)
    const name = fieldOf(fields, "event")[0]
    return name === undefined ? [] : [{ name, data: readJson(fieldOf(fields, "data").join("\n")) }]
  })
}

function fieldOf(lines: readonly string[], name: string): string[] {
  const start = `${name}:`
  return lines.flatMap((line) => (line.startsWith(start) ? [line.slice(start.length).trim()] : []))
}
