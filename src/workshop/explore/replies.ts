/** What people may send to a question: what fits it, what is just at its bounds, and what means harm. */
import { answerVariable, samplesOf } from "../../engine/blocks/registry.ts"
import type { ChatInput } from "../../engine/chatInput.ts"
import { firstBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import { sent } from "../play/send.ts"
import { deciding, type FlowFacts } from "./flowFacts.ts"
import { witnessesOf } from "./witnesses.ts"

/** A reply; `isMeant`: one that an author would expect, so that the question should take it. */
export type Reply = { user: NonNullable<TestStep["user"]>; isMeant: boolean }

/** Longest text that is sent. */
const longText = "word ".repeat(4_000)

/** What means harm, or is nothing at all: every question has to cope with it. */
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
  // Where nothing fits, whatever people say is as good.
  const isBarred = fitting.length === 0
  const replies = [
    ...fitting.map((message) => ({ user: sent(message), isMeant: true })),
    ...refused.map((message) => ({ user: sent(message), isMeant: isBarred })),
    ...[...wanted, ...hostile].map((user) => ({ user, isMeant: false })),
  ]
  return [...firstBy(replies, ({ user }) => JSON.stringify(user)).values()]
}

/** What variables that no question fills are compared with: they may come from any reply. */
const derived = memoize((facts: FlowFacts): string[] => {
  const values: string[] = []
  for (const [id, each] of witnessesOf(facts)) {
    const isDerived = deciding(facts).get(id) === "full" || facts.given.has(id)
    if (isDerived) values.push(...each.slice(0, 5))
  }
  return values.slice(0, 20)
})
