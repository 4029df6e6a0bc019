/** What an example of a rule is, and parts that many of them have. */

import type { Surroundings } from "../../../src/authoring/lint/lintContext.ts"
import type { Flow } from "../../../src/engine/bot.ts"
import { group, say } from "../bots.ts"

/** Any JSON as a bot, or a flow with what is known of the service around it. */
export type Example = unknown | Placed

/** A flow and what is known of the service around it. */
export type Placed = { flow: Flow; surroundings: Surroundings }

/** Bots that break a rule, with the pointers where they do, and bots that keep it. */
export type Examples = { fails: [bot: Example, ...pointers: string[]][]; passes: Example[] }

/** Nothing wrong with it. */
export const hello = group("Hello", say("Hi"))

/** A flow whose members were changed after it was checked. */
export function changed(flow: Flow, change: (flow: Flow) => object): object {
  return { ...flow, ...change(flow) }
}
