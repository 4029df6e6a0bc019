/** Bots of a hostile author: everything that can be named is named at length, and mentioned everywhere. */
import { largeBot } from "../../bench/largeBot.ts"
import { type Block, block, flowOf, groupOf, many, say } from "../siege/flow.ts"

/** Six hundred such names fill an import, which cuts them. */
const longName = 6_000

const long = (name: string, length = longName) => name.padEnd(length, "n")

/** Blocks that set the one variable or the other, under names of 1 MB. */
export function mentioningBot(): object {
  const blocks = many(4_800, (n) =>
    block("Set variable", { variableId: `v-${n % 2}`, expressionToEvaluate: `${n}` }),
  )
  return { ...flowOf(blocks), variables: variablesCalled(["One", "Other"], 1_000_000) }
}

/** Its groups after every block was changed to mention the other variable. */
export function changedMentions(): object[] {
  const { groups } = mentioningBot() as { groups: { blocks: Block[] }[] }
  const other = ({ options, ...rest }: Block, n: number) => ({
    ...rest,
    options: { ...(options as object), variableId: `v-${1 - (n % 2)}` },
  })
  return groups.map((group) => ({ ...group, blocks: group.blocks.map(other) }))
}

/** A question, then hundreds of groups with long titles that a turn walks through, again and again. */
export function namedBot(): object {
  const walked = many(300, (n) =>
    groupOf(`g${n + 1}`, long(`Group ${n} `), [
      {
        ...block("Set variable", { variableId: `v-${n}`, expressionToEvaluate: "{{Said}}" }),
        id: `s${n}`,
        ...(n < 299 && { outgoingEdgeId: `to${n + 1}` }),
        ...(n === 299 && { outgoingEdgeId: "again" }),
      },
    ]),
  )
  const asks = { ...block("text input", { variableId: "said" }), id: "ask", outgoingEdgeId: "to0" }
  const names = many(300, (n) => `Variable ${n} `)
  const flow = flowOf([say("Say it"), asks], {
    groups: walked,
    title: long("First "),
    edges: [
      ...many(300, (n) => ({
        id: `to${n}`,
        from: { blockId: n === 0 ? "ask" : `s${n - 1}` },
        to: { groupId: `g${n + 1}` },
      })),
      { id: "again", from: { blockId: "s299" }, to: { groupId: "g0" } },
    ],
  })
  return {
    ...flow,
    variables: [{ id: "said", name: "Said" }, ...variablesCalled(names, longName)],
  }
}

/** A question with as many choices as a flow has room for. */
export function choosingBot(): object {
  const items = many(5_000, (n) => ({ id: `i${n}`, content: `Choice ${n}` }))
  const choice = { type: "choice input", id: "choose", items, outgoingEdgeId: "back" }
  const flow = flowOf([say("Choose"), choice]) as { edges: object[] }
  return {
    ...flow,
    edges: [
      { id: "begin", from: { eventId: "start" }, to: { groupId: "g0" } },
      { id: "back", from: { blockId: "choose" }, to: { groupId: "g0" } },
    ],
  }
}

/** A page whose every text is as long as it may be. */
export function dressedBot(): object {
  const text = (length: number) => `<&"'>`.repeat(length / 5)
  return {
    ...flowOf([say("Hello"), block("text input")]),
    settings: {
      metadata: {
        title: text(500_000),
        description: text(2_000_000),
        customHeadCode: text(100_000),
      },
    },
    theme: { customCss: text(100_000) },
  }
}

/** As large as a bot may be. */
export const heavyBot = largeBot

function variablesCalled(names: readonly string[], length: number): object[] {
  return names.map((name, n) => ({ id: `v-${n}`, name: long(name, length) }))
}
