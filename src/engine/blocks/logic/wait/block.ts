/** Has the client pause; the service itself never sleeps. */
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const waitBlockSchema = blockSchemaOf("Wait", {
  options: optional.object("Options of the pause", {
    secondsToWaitFor: optional.numberOrText(
      "Seconds; may hold {{variables}}; the number at its beginning counts; none: no pause",
    ),
    shouldPause: optional.flag("Whether the flow continues only after the client's report", false),
  }),
}).meta({ id: "WaitBlock" })

export const waitBlock = action(waitBlockSchema, {
  catalogue: {
    label: "Wait",
    description: "Pauses the chat for some seconds",
    category: "logic",
    icon: "hourglass",
    defaults: { options: { secondsToWaitFor: 2 } },
  },
  isSilent: true,
  problems: ({ options }) => {
    const seconds = secondsOf(String(options?.secondsToWaitFor ?? ""))
    if (!(seconds >= daySeconds)) return []
    const message = `The pause takes ${seconds} seconds, which is a day or more`
    return [{ rule: "endless-wait", at: ["options", "secondsToWaitFor"], message }]
  },
  waits: ({ options }) => {
    const text = String(options?.secondsToWaitFor ?? "")
    const isTime = text.includes("{{") || Number.isFinite(secondsOf(text))
    return options?.shouldPause === true && isTime
  },
  run: (block, context) => {
    const { secondsToWaitFor, shouldPause } = block.options ?? {}
    const text = interpolate(String(secondsToWaitFor ?? ""), context)
    const seconds = secondsOf(text)
    if (!Number.isFinite(seconds)) return {}
    const act = [{ type: "wait" as const, wait: { secondsToWaitFor: Math.max(seconds, 0) } }]
    if (shouldPause) return { act, next: "waitForClient" }
    return seconds > 0 ? { act } : {}
  },
})

const daySeconds = 24 * 60 * 60

/** The number that a text begins with, because people write "1,5" or "2 s"; NaN without one. */
function secondsOf(text: string): number {
  return Number.parseFloat(text.replace(",", "."))
}
