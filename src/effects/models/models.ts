/** Performs calls of the kind `model`: as a whole, or streamed to a client. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  type Call,
  type Failure,
  isFailure,
  type ModelAnswer,
  type ModelProtocol,
  type Outcome,
} from "../../engine/calls.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import type { OpenCredential } from "../credentials/credentials.ts"
import { networkFailure } from "../failures.ts"
import { BlockedError } from "../network/addressRules.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import type { CallContext, Performer } from "../perform.ts"
import { converse } from "./converse.ts"
import { addUsage, type Dialogue, type DialogueOptions, type PreparedAsk } from "./dialogue.ts"
import { createDifyChat } from "./difyChat.ts"
import { type Asking, type Meter, metered, type Spent } from "./metered.ts"
import { type OfferDeps, offerTools } from "./offeredTools.ts"
import { type PrepareDeps, prepareAsk } from "./preparedAsk.ts"

type ModelDeps = PrepareDeps &
  OfferDeps & {
    fetch: GuardedFetch
    /** Absent: calls are not counted. */
    meter?: Meter
  }

export type Models = {
  performer: Performer<"model">
  /** Yields the texts of a streamed answer, and returns the outcome. */
  stream(call: Call<"model">, context: CallContext): AsyncGenerator<string, Outcome<"model">>
}

type Open = (ask: PreparedAsk, opening: DialogueOptions) => Dialogue

/** Libraries are imported on first use, because each is large. */
const protocols: Readonly<Record<ModelProtocol, () => Promise<Open>>> = {
  chatCompletions: async () => (await import("./chatCompletions.ts")).createChatCompletions,
  responses: async () => (await import("./responses.ts")).createResponses,
  anthropicMessages: async () => (await import("./anthropicMessages.ts")).createAnthropicMessages,
  difyChat: async () => createDifyChat,
}

export function createModels(deps: ModelDeps): Models {
  const answerTo = (asking: Asking) =>
    metered(asking, deps.meter, (spent) => ask(deps, asking, spent))
  return {
    async performer(call, context) {
      const answer = answerTo({ call, context, isStreamed: false })
      for (;;) {
        const { done, value } = await answer.next()
        if (done) return value
      }
    },
    stream: (call, context) => answerTo({ call, context, isStreamed: true }),
  }
}

async function* ask(
  deps: ModelDeps,
  { call, context, isStreamed }: Asking,
  spent: Spent,
): AsyncGenerator<string, ModelAnswer | Failure> {
  const prepared = await prepareAsk(deps, call, context)
  if (isFailure(prepared)) return prepared
  spent.baseUrl = prepared.ask.baseUrl
  const { signal } = context
  try {
    if (call.delayMs) await sleep(call.delayMs, undefined, { signal })
  } catch (error) {
    return networkFailure(error, "The provider of the model")
  }
  const offered = await offerTools(deps, call, context)
  if (isFailure(offered)) return offered
  const { tools } = offered
  const asked = { ...prepared.ask, ...nonEmpty({ tools }) }
  try {
    const open = await protocols[call.protocol]()
    const fetch = guardedFor(prepared.credential, deps.fetch)
    return yield* converse({
      ...prepared,
      ask: asked,
      tools,
      dialogue: open(asked, { fetch, isStreamed }),
      spend: (usage) => {
        spent.usage = addUsage(spent.usage, usage)
      },
      signal,
    })
  } finally {
    await offered.close()
  }
}

/** Checks every address, because libraries derive others from the one that was checked. */
function guardedFor(credential: OpenCredential, fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    if (credential.refusalFor(url)) throw new BlockedError("The credential does not allow the host")
    return fetch(url, init)
  }
}
