/** A conversation whose world answers by itself, and which remembers what the world was asked. */
import type { Flow } from "../../src/engine/bot.ts"
import type { Call, Outcome } from "../../src/engine/calls.ts"
import { talk } from "./talk.ts"

/** A conversation and the requests and questions to models that it has made. */
export type Talk = ReturnType<typeof talk> & { calls: Call[] }

/** Starts a conversation; models always answer "Brief." */
export function freshTalk(
  flow: Flow,
  {
    linked,
    answer,
  }: { linked?: Record<string, Flow>; answer(call: Call<"http">): Outcome<"http"> },
): Talk {
  const calls: Call[] = []
  const started = talk(flow, {
    ...(linked && { linked }),
    answers: {
      http: (call) => {
        calls.push(call)
        return answer(call)
      },
      model: (call) => {
        calls.push(call)
        return { text: "Brief." }
      },
    },
  })
  return Object.assign(started, { calls })
}
