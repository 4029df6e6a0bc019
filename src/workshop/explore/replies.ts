/** Replies to try on a question: fitting, at its bounds, and hostile. */
import { answerVariable, samplesOf } from "../../engine/blocks/registry.ts"
import type { ChatInput } from "../../engine/chatInput.ts"
import { firstBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import { sent } from "../play/send.ts"
import { deciding, type FlowFacts } from "./flowFacts.ts"
import { witnessesOf } from "./witnesses.ts"

/** A reply; `isMeant`: expected by authors, so the question should accept it. */
export type Reply = { user: NonNullable<TestStep["user"]>; isMeant: boolean }

const longText = "word ".repeat(4_000)

/** Hostile and empty replies, which every question must handle. */
const hostile = [
  "",
  " ",
  "😀",
  "<b onclick=alert(1)>x</b> {{= 1 =}} **y**",
  "\u202Eشكرا",
  "undefined",
  longText,
]

/** The replies to a question, the plainest first. */
export function repliesTo(input: ChatInput, facts: FlowFacts): Reply[] {
  const known = facts.blocks.get(input.id)
  const variableId = known && answerVariable(known.entry.block)
  const wanted = [...(witnessesOf(facts).get(variableId ?? "") ?? []), ...derived(facts)]
  const { fitting, refused } = samplesOf(input, wanted)
  // If nothing fits, all replies are equal.
  const isBarred = fitting.length === 0
  const replies = [
    ...fitting.map((message) => ({ user: sent(message), isMeant: true })),
    ...refused.map((message) => ({ user: sent(message), isMeant: isBarred })),
    ...[...wanted, ...hostile].map((user) => ({ user, isMeant: false })),
  ]
  return [...firstBy(replies, ({ user }) => JSON.stringify(user)).values()]
}

/** Values compared with variables that no question fills: they may come from any reply. */
const derived = memoize((facts: FlowFacts): string[] => {
  const values: string[] = []
  for (const [id, each] of witnessesOf(facts)) {
    const isDerived = deciding(facts).get(id) === "full" || facts.given.has(id)
    if (isDerived) values.push(...each.slice(0, 5))
  }
  return values.slice(0, 20)
})
