/** Has the client pause; the service itself never sleeps. */
import { interpolate } from "../../../variables/interpolate.ts"
import type { Action } from "../../block.ts"
import { type WaitBlock, waitBlockSchema } from "./schema.ts"

export const waitBlock: Action<WaitBlock> = {
  kind: "action",
  schema: waitBlockSchema,
  waits: ({ options }) => options?.shouldPause === true && Boolean(options.secondsToWaitFor),
  run: (block, context) => {
    const { secondsToWaitFor, shouldPause } = block.options ?? {}
    const text = interpolate(String(secondsToWaitFor ?? ""), context).trim()
    const seconds = Number(text)
    if (text === "" || !Number.isFinite(seconds)) return {}
    const act = [{ type: "wait" as const, wait: { secondsToWaitFor: Math.max(seconds, 0) } }]
    if (shouldPause) return { act, next: "waitForClient" }
    return seconds > 0 ? { act } : {}
  },
}
