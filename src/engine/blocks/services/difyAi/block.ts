/** Dify: chats with an app and searches in a knowledge base. */
import { isFailure, type Outcome } from "../../../calls.ts"
import { failureLog, readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { pickList, pickText } from "../../json.ts"
import { asObject } from "../../keyValues.ts"
import { bearer, json, request } from "../api.ts"
import { usageItems } from "../completion.ts"
import {
  actWithCredential,
  callOf,
  mapItems,
  needsAccount,
  refusal,
  type Visit,
} from "../service.ts"
import { receiveStream, startStream } from "../streaming.ts"
import { type DifyAiBlock, type DifyOptions, difyAiBlockSchema } from "./schema.ts"

type Kinds = "model" | "http"

const chat = "Create Chat Message"
const search = "Query Knowledge Base"
const baseUrl = "https://api.dify.ai"
const content = "Message content"

/** Who asks, where the author names nobody. */
const nobody = "parley"

const ask = { [chat]: askApp, [search]: queryKnowledge }

export const difyAiBlock: Action<DifyAiBlock, Kinds> = {
  kind: "action",
  schema: difyAiBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) =>
    startStream(target(block), context) ??
    actWithCredential<DifyOptions, Kinds>(block, context, ask),
  resume: {
    model: (block, outcome, context) =>
      actWithCredential<DifyOptions, Kinds>(block, context, {
        [chat]: (visit) => appAnswered(visit, outcome),
      }),
    http: (block, outcome, context) =>
      actWithCredential<DifyOptions, Kinds>(block, context, {
        [search]: (visit) => knowledgeAnswered(visit, outcome),
      }),
  },
  receive: (block, text) => receiveStream(target(block), text),
  stream: (block, context) =>
    target(block) ? callOf(actWithCredential<DifyOptions, Kinds>(block, context, ask)) : undefined,
  streamed: (block, outcome, context) => {
    if (!isFailure(outcome) && "status" in outcome) return {}
    const { set, log } = actWithCredential<DifyOptions, never>(block, context, {
      [chat]: (visit) => appAnswered(visit, outcome, true),
    })
    return { ...(set ? { set } : {}), ...(log ? { log } : {}) }
  },
}

/** Only a mapping that names the content itself is streamed. */
function target({ options }: DifyAiBlock): string | undefined {
  if (options?.action !== chat) return undefined
  return options.responseMapping?.find(({ item, variableId }) => item === content && variableId)
    ?.variableId
}

function askApp({ options, credential, context }: Visit<DifyOptions>): Step<"model"> {
  if (!options.query) return refusal("No query is given")
  const conversationId =
    options.conversationVariableId === undefined
      ? undefined
      : context.variables.value(options.conversationVariableId)
  return {
    next: {
      call: {
        kind: "model",
        protocol: "difyChat",
        credential,
        baseUrl,
        messages: [{ role: "user", content: options.query }],
        ...(typeof conversationId === "string" ? { conversationId } : {}),
        app: { user: options.user ?? nobody, inputs: asObject(options.inputs) },
        maxSteps: 1,
      },
    },
  }
}

function appAnswered(
  { options }: Visit<DifyOptions>,
  outcome: Outcome<"model">,
  withoutText = false,
): Pick<Step, "set" | "log"> {
  if (isFailure(outcome)) return { log: [failureLog(outcome, "While asking Dify")] }
  const { text, usage, conversationId } = outcome
  const tokens = usageItems(usage)
  const said = withoutText ? undefined : text
  const { conversationVariableId: variableId } = options
  return {
    set: [
      ...mapItems(options.responseMapping, content, {
        [content]: said,
        // Names that older bots use.
        Answer: said,
        "Total Tokens": tokens["Total tokens"],
        "Conversation ID": conversationId,
        ...tokens,
      }),
      ...(variableId && conversationId ? [{ variableId, value: conversationId }] : []),
    ],
  }
}

function queryKnowledge(visit: Visit<DifyOptions>): Step<"http"> {
  const { datasetId, query } = visit.options
  if (!datasetId) return refusal("No dataset is given")
  if (!query) return refusal("No query is given")
  const call = request(visit, {
    method: "POST",
    url: [
      { secret: "apiEndpoint", fallback: baseUrl, as: "origin" },
      `/v1/datasets/${encodeURIComponent(datasetId)}/retrieve`,
    ],
    headers: [bearer("knowledgeApiKey")],
    body: json({ query }),
  })
  return { next: { call } }
}

function knowledgeAnswered({ options }: Visit<DifyOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While searching the knowledge base")
  if ("log" in answer) return { log: [answer.log] }
  const chunks = pickList(answer.data, "records").flatMap(
    (record) => pickText(record, "segment", "content") ?? [],
  )
  const first = "Retrieved chunks"
  return { set: mapItems(options.responseMapping, first, { [first]: chunks }) }
}
