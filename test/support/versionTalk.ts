/** A conversation whose calls are answered by themselves, and which remembers them. */
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
  }: {
    linked?: Record<string, Flow>
    answer(call: Call<"http" | "sheet">): Outcome<"http" | "sheet">
  },
): Talk {
  const calls: Call[] = []
  const take = (call: Call<"http" | "sheet">) => {
    calls.push(call)
    return answer(call)
  }
  const started = talk(flow, {
    ...(linked && { linked }),
    answers: {
      http: take,
      sheet: take,
      model: (call) => {
        calls.push(call)
        return { text: "Brief." }
      },
    },
  })
  return Object.assign(started, { calls })
}
