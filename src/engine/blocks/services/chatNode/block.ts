/** ChatNode: says something to a bot there. */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { pick } from "../../json.ts"
import { bearer, json, request } from "../api.ts"
import { actWithCredential, mapItems, needsAccount, refusal, type Visit } from "../service.ts"
import { type ChatNodeBlock, type ChatNodeOptions, chatNodeBlockSchema } from "./schema.ts"

export const chatNodeBlock: Action<ChatNodeBlock, "http"> = {
  kind: "action",
  schema: chatNodeBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, { "Send Message": send }),
  resume: {
    http: (block, outcome, context) =>
      actWithCredential<ChatNodeOptions, "http">(block, context, {
        "Send Message": (visit) => answered(visit, outcome),
      }),
  },
}

function send(visit: Visit<ChatNodeOptions>): Step<"http"> {
  const { botId, message, threadId } = visit.options
  if (!botId) return refusal("No bot is given")
  if (!message) return refusal("No message is given")
  const call = request(visit, {
    method: "POST",
    url: `https://api.public.chatnode.ai/v1/${encodeURIComponent(botId)}`,
    headers: [bearer()],
    body: json({ message, ...(threadId ? { chat_session_id: threadId } : {}) }),
  })
  return { next: { call } }
}

function answered({ options }: Visit<ChatNodeOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While asking ChatNode")
  if ("log" in answer) return { log: [answer.log] }
  return {
    set: mapItems(options.responseMapping, "Message", {
      Message: pick(answer.data, "message"),
      "Thread ID": pick(answer.data, "chat_session_id"),
    }),
  }
}
