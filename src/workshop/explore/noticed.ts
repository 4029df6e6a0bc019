/** Observes groups passed and faults of a test's conversation. */
import { placeInFlow } from "../../authoring/lint/location.ts"
import type { Flow } from "../../engine/bot.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { cut } from "../../lib/cut.ts"
import type { ConversationTest } from "../files/testFileSchema.ts"
import type { RunScripts } from "../play/play.ts"
import type { Outside } from "../play/stubs.ts"
import type { TestFailure } from "../testOutcome.ts"
import { askedAgain, beginning, type Fault, passTurn, type Sofar } from "./faultsIn.ts"
import { factsOf } from "./flowFacts.ts"

export type Noticed = ReturnType<typeof createNoticed>

/** Observes a conversation for its test's expectations about the path. */
export function createNoticed(
  { expect = {}, start }: Pick<ConversationTest, "expect" | "start">,
  flow: Flow,
  { outside, linked = {} }: { outside: Pick<Outside, "failures">; linked?: object | undefined },
) {
  const { reaches = [], without = [] } = expect
  const missing = new Set(reaches)
  let endless = 0
  let failed = 0
  let fault: Fault | undefined
  let sofar: Sofar | undefined
  const known = new Set(Object.keys(linked))
  return {
    /** Runs scripts, and notes timeouts. */
    watched:
      (runScripts: RunScripts): RunScripts =>
      async (scripts, how) => {
        const outcomes = await runScripts(scripts, how)
        if (hasTimedOut(outcomes)) endless += 1
        return outcomes
      },
    /** `isReply`: a person replied. */
    take(turn: Turn, isReply: boolean) {
      if (reaches.length + without.length === 0) return
      const facts = factsOf(flow)
      sofar ??= beginning(facts, Object.keys(start?.variables ?? {}))
      for (const { blockId, edgeId = "" } of turn.trail ?? []) {
        missing.delete(edgeId)
        const { title = "", id = "" } = facts.blocks.get(blockId)?.entry.group ?? {}
        missing.delete(title)
        missing.delete(id)
      }
      const failures = outside.failures() - failed
      const again = isReply ? askedAgain(facts, sofar, turn) : undefined
      const passed = passTurn(facts, sofar, { turn, isReply, endless, failures, linked: known })
      endless = 0
      failed += failures
      fault ??= [...passed.faults, ...(again ? [again] : [])].find(({ rule }) =>
        without.some((each) => each === rule),
      )
      sofar = passed.sofar
    },
    /** The missed expectation among `reaches` and `without`. */
    failure(): TestFailure | undefined {
      const [missed] = missing
      if (missed !== undefined) {
        const isEdge = flow.edges.some(({ id }) => id === missed)
        return {
          message: `The chat does not reach the ${isEdge ? "edge" : "group"} "${cut(missed)}"`,
        }
      }
      if (!fault) return undefined
      return { message: `${fault.message} (${fault.rule})`, actual: placeInFlow(fault.path, flow) }
    },
  }
}

/** Whether a script timed out. */
export function hasTimedOut(outcomes: readonly object[]): boolean {
  return outcomes.some((each) => "reason" in each && each.reason === "timeout")
}
