/** Sets the stage of a conversation in a test: its bots, and the world around the engine. */
import { type Flow, prepareBot } from "../../src/engine/bot.ts"
import { type Limits, liveLimits } from "../../src/engine/budget/fuel.ts"
import type { Call, CallKind, Outcome } from "../../src/engine/calls.ts"
import type { SessionOptions } from "../../src/engine/session.ts"
import type { EngineDeps } from "../../src/engine/turn/run.ts"
import type { StartRequest } from "../../src/engine/turn/turn.ts"
import { deepFreeze } from "./freeze.ts"
import { testWorld } from "./outside.ts"

/** How a conversation begins. */
export type TalkParts = Partial<Omit<SessionOptions, "bot">> &
  StartRequest & {
    /** Flows by bot id that links may enter. */
    linked?: Record<string, Flow>
    random?: number
    limits?: Limits
    /** Opens the chat without starting it. */
    isOnlyRegistering?: boolean
    /** Answers calls by kind; scripts are run by themselves. */
    answers?: { [K in CallKind]?: (call: Call<K>) => Outcome<K> }
    now?: () => number
    textFormat?: EngineDeps["textFormat"]
    /** Variables of the workspace by name; absent: none. */
    workspace?: EngineDeps["workspace"]
  }

export const rootResultId = "0199aaaa-0000-7000-8000-00000000aaaa"

/** The world of a flow, and the versions of it and of what it links to. */
export function stageOf(flow: Flow, parts: TalkParts): EngineDeps {
  const bots = new Map([["root", prepareBot(deepFreeze(flow), "root", "rootBot")]])
  for (const [id, linked] of Object.entries(parts.linked ?? {})) {
    bots.set(`version of ${id}`, prepareBot(deepFreeze(linked), `version of ${id}`, id))
  }
  const world = testWorld(parts.random)
  return {
    world: { ...world, now: parts.now ?? world.now },
    bots,
    limits: parts.limits ?? liveLimits,
    textFormat: parts.textFormat,
    workspace: parts.workspace,
  }
}
