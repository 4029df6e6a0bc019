/** Builds starter bots in a few words: groups by title, variables by name, edges by `to`. */
import { type Flow, latestVersion } from "../../engine/bot.ts"
import type { ComparisonOperator } from "../../engine/schema/condition.ts"
import { builtInTheme } from "../builtInThemes.ts"
import { layOut } from "./layOut.ts"

/** A bot to begin with, as it is listed, and its flow in short form. */
export type Starter = {
  id: string
  name: string
  description: string
  category: "Sales" | "Feedback" | "Support" | "Booking" | "Marketing" | "Learning"
  icon: string
  /** Id of a built-in theme. */
  themeId: string
  variables: readonly string[]
  /** The first one begins. */
  groups: readonly StarterGroup[]
  settings?: Flow["settings"]
}

/** Blocks below each other; `to`: title of the group that follows. */
export type StarterGroup = { title: string; blocks: readonly Piece[]; to?: string }

/** A block without its id; `to` on it or its items names a group. */
type Piece = {
  type: string
  to?: string
  items?: readonly Item[]
  content?: { richText: readonly { type: string; children: readonly { text: string }[] }[] }
  options?: object
}
type Item = { to?: string; content: unknown; value?: string }

const idOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

export const variable = (name: string) => `v-${idOf(name)}`

export const group = (title: string, blocks: Piece[], to?: string): StarterGroup => ({
  title,
  blocks,
  ...(to && { to }),
})

export const say = (...paragraphs: string[]): Piece => ({
  type: "text",
  content: { richText: paragraphs.map((text) => ({ type: "p", children: [{ text }] })) },
})

/** A question whose answer a variable saves. */
export const ask = (type: string, saves: string, options: object = {}): Piece => ({
  type: `${type} input`,
  options: { variableId: variable(saves), ...options },
})

/** Buttons: labels, or labels with the value to save or the group that follows. */
export const choose = (
  saves: string,
  items: readonly (string | (Item & { content: string }))[],
  options: object = {},
): Piece => ({
  ...ask("choice", saves, options),
  items: items.map((item) => (typeof item === "string" ? { content: item } : item)),
})

/** Several buttons at once. */
export const chooseSeveral = (saves: string, items: readonly string[], buttonLabel = "Done") =>
  choose(saves, items, { isMultipleChoice: true, buttonLabel })

type Case = { to: string; all: [name: string, operator: ComparisonOperator, value?: string][] }

/** Goes to the group of the first case that holds, else on. */
export const when = (...cases: Case[]): Piece => ({
  type: "Condition",
  items: cases.map(({ to, all }) => ({
    to,
    content: {
      logicalOperator: "AND",
      comparisons: all.map(([name, comparisonOperator, value], index) => ({
        id: `comparison-${index + 1}`,
        variableId: variable(name),
        comparisonOperator,
        ...(value !== undefined && { value }),
      })),
    },
  })),
})

/** Sets a variable to the result of JavaScript. */
export const compute = (name: string, code: string): Piece => ({
  type: "Set variable",
  options: { variableId: variable(name), expressionToEvaluate: code, isCode: true },
})

/** The flow of a starter, in the colours of its theme. */
export function flowOf({ themeId, variables, groups, settings = {} }: Starter): Flow {
  const edges: object[] = []
  const connect = (to: string | undefined, from: object) => {
    if (to === undefined) return {}
    const id = `edge-${edges.length + 1}`
    edges.push({ id, from, to: { groupId: idOf(to) } })
    return { outgoingEdgeId: id }
  }
  const places = layOut(groups)
  const start = connect(groups[0]?.title, { eventId: "start" })
  const drawn = groups.map(({ title, blocks, to: next }) => ({
    id: idOf(title),
    title,
    graphCoordinates: places.get(title),
    blocks: blocks.map(({ to, items, ...block }, index) => {
      const blockId = `${idOf(title)}-${index + 1}`
      const isLast = index === blocks.length - 1
      return {
        id: blockId,
        ...block,
        ...connect(to ?? (isLast ? next : undefined), { blockId }),
        ...(items && {
          items: items.map(({ to: target, ...item }, place) => {
            const itemId = `${blockId}-item-${place + 1}`
            return { id: itemId, ...item, ...connect(target, { blockId, itemId }) }
          }),
        }),
      }
    }),
  }))
  return {
    version: latestVersion,
    events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, ...start }],
    groups: drawn,
    edges,
    variables: variables.map((name) => ({ id: variable(name), name })),
    theme: builtInTheme(themeId)?.theme ?? {},
    settings,
  } as Flow
}
