/** Builds flows for tests in a few words: groups by title, variables by name, edges by `to`. */
import { type Flow, flowSchema, type SchemaVersion } from "../../src/engine/bot.ts"
import type { RichText } from "../../src/engine/schema/richText.ts"

/** A block before its edges are drawn: `to` names a group, `saves` a variable. */
export type Draft = {
  type: string
  id?: string
  to?: string
  saves?: string
  [member: string]: unknown
}

export type DraftGroup = { title: string; blocks: Draft[] }

/** Everything of a bot besides its groups. */
export type BotParts = {
  version?: SchemaVersion
  /** Initial values by variable name; names that only appear in texts are declared by themselves. */
  variables?: Record<string, string | (string | null)[] | null>
  sessionVariables?: string[]
  /** Events besides the start; `to` names a group. */
  events?: ({ type: "command" | "reply" | "invalidReply" | "idle"; to?: string } & Record<
    string,
    unknown
  >)[]
  theme?: Record<string, unknown>
  settings?: Record<string, unknown>
}

export const group = (title: string, ...blocks: Draft[]): DraftGroup => ({ title, blocks })

/** The id that a variable of that name gets. */
export const idOf = (name: string) => `v${name.replaceAll(" ", "_")}`

/** The id that a group of that title gets. */
export const groupIdOf = (title: string) => `g${title.replaceAll(" ", "_")}`

export const p = (...texts: string[]) => ({
  type: "p",
  children: texts.map((text) => ({ text })),
})

export const say = (text: string, more: Partial<Draft> = {}): Draft => ({
  type: "text",
  content: { richText: [p(text)] },
  ...more,
})

export const sayRich = (richText: RichText, more: Partial<Draft> = {}): Draft => ({
  type: "text",
  content: { richText },
  ...more,
})

const input =
  (type: string) =>
  ({ saves, id, to, items, ...options }: Partial<Draft> = {}): Draft => ({
    type,
    ...(id === undefined ? {} : { id }),
    ...(to === undefined ? {} : { to }),
    ...(items === undefined ? {} : { items }),
    ...(saves === undefined ? {} : { saves }),
    options,
  })

/** One function per input type; members that are no part of a block are its options. */
export const ask = {
  text: input("text input"),
  number: input("number input"),
  email: input("email input"),
  url: input("url input"),
  phone: input("phone number input"),
  date: input("date input"),
  time: input("time input"),
  rating: input("rating input"),
  file: input("file input"),
  payment: input("payment input"),
  picture: input("picture choice input"),
  cards: input("cards"),
  choice: (items: (string | Record<string, unknown>)[], more: Partial<Draft> = {}): Draft =>
    input("choice input")({
      ...more,
      items: items.map((item, index) =>
        typeof item === "string"
          ? { id: `i${index}`, content: item }
          : { id: `i${index}`, ...item },
      ),
    }),
}

/** Any other block with options. */
export const block = (
  type: string,
  options: Record<string, unknown> = {},
  more: Partial<Draft> = {},
): Draft => ({ type, options, ...more })

/** A bubble that shows what lies at an address. */
export const show = (
  type: "image" | "video" | "audio" | "file" | "embed",
  content: Record<string, unknown>,
  more: Partial<Draft> = {},
): Draft => ({ type, content, ...more })

export const set = (
  name: string,
  expressionToEvaluate: string,
  more: Record<string, unknown> = {},
) => {
  const { to, id, ...options } = more
  return {
    type: "Set variable",
    ...(to === undefined ? {} : { to: String(to) }),
    ...(id === undefined ? {} : { id: String(id) }),
    options: { variableId: idOf(name), expressionToEvaluate, ...options },
  } satisfies Draft
}

/** A condition with one item of comparisons `[variable, operator, value]`. */
export const when = (
  comparisons: [name: string, operator: string, value?: string][],
  more: { to?: string; otherwise?: string; logicalOperator?: string } = {},
): Draft => ({
  type: "Condition",
  ...(more.otherwise === undefined ? {} : { to: more.otherwise }),
  items: [
    {
      id: "yes",
      ...(more.to === undefined ? {} : { to: more.to }),
      content: {
        ...(more.logicalOperator === undefined ? {} : { logicalOperator: more.logicalOperator }),
        comparisons: comparisons.map(([name, comparisonOperator, value], index) => ({
          id: `c${index}`,
          variableId: idOf(name),
          comparisonOperator,
          ...(value === undefined ? {} : { value }),
        })),
      },
    },
  ],
})

export const jump = (title: string, blockId?: string): Draft => ({
  type: "Jump",
  options: { groupId: groupIdOf(title), ...(blockId === undefined ? {} : { blockId }) },
})

export const goBack = (): Draft => ({ type: "Return" })

export const link = (botId: string, options: Record<string, unknown> = {}): Draft => ({
  type: "Bot link",
  options: { botId, ...options },
})

/** An event for replies; it fills the variables Content, Type and Name. */
export const onReply = (
  to: string | undefined,
  type: "reply" | "invalidReply" = "reply",
): NonNullable<BotParts["events"]>[number] => ({
  type,
  ...(to === undefined ? {} : { to }),
  options: {
    contentVariableId: idOf("Content"),
    inputTypeVariableId: idOf("Type"),
    inputNameVariableId: idOf("Name"),
  },
})

export const onCommand = (
  command: string,
  to: string | undefined,
  options: { resumeAfter?: boolean } = {},
): NonNullable<BotParts["events"]>[number] => ({
  type: "command",
  ...(to === undefined ? {} : { to }),
  options: { command, ...options },
})

export const onIdle = (
  afterSeconds: number,
  to: string | undefined,
): NonNullable<BotParts["events"]>[number] => ({
  type: "idle",
  ...(to === undefined ? {} : { to }),
  options: { afterSeconds },
})

/** A valid flow that starts at its first group; older versions start at a `start` block. */
export function bot(first: DraftGroup | BotParts, ...rest: DraftGroup[]): Flow {
  const isParts = !("blocks" in first)
  const parts: BotParts = isParts ? first : {}
  const groups = isParts ? rest : [first, ...rest]
  const version = parts.version ?? "6.1"
  const edges: object[] = []
  let blocks = 0
  const connect = (title: string, from: object): string => {
    const id = `e${edges.length}`
    const [groupTitle = title, blockId] = title.split("#")
    const to = { groupId: groupIdOf(groupTitle), ...(blockId ? { blockId } : {}) }
    edges.push({ id, from, to })
    return id
  }
  const draw = (value: unknown, blockId: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => draw(each, blockId))
    if (typeof value !== "object" || value === null) return value
    const { to, ...members } = value as { to?: unknown }
    const drawn = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, draw(member, blockId)]),
    )
    if (typeof to !== "string") return to === undefined ? drawn : { ...drawn, to }
    return { ...drawn, outgoingEdgeId: connect(to, { blockId }) }
  }
  const isOld = Number(version) < 6
  const start = groups[0]?.title
  const startEdge = start === undefined ? undefined : connect(start, { eventId: "start" })
  const drawnGroups = groups.map(({ title, blocks: drafts }) => ({
    id: groupIdOf(title),
    title,
    graphCoordinates: { x: 0, y: 0 },
    blocks: drafts.map(({ id = `b${++blocks}`, saves, ...draft }) => {
      const options = saves === undefined ? {} : { variableId: idOf(saves) }
      const own = (draft.options ?? {}) as object
      return draw(
        { id, ...draft, ...(saves === undefined ? {} : { options: { ...own, ...options } }) },
        id,
      )
    }),
  }))
  const startGroup = {
    id: "gStart",
    title: "Start",
    graphCoordinates: { x: 0, y: 0 },
    blocks: [{ id: "start", type: "start", label: "Start", outgoingEdgeId: startEdge }],
  }
  const events = [
    { id: "start", type: "start", outgoingEdgeId: startEdge, graphCoordinates: { x: 0, y: 0 } },
    ...(parts.events ?? []).map(({ to, ...event }, index) => ({
      id: `event${index}`,
      graphCoordinates: { x: 0, y: 0 },
      ...event,
      ...(to === undefined ? {} : { outgoingEdgeId: connect(to, { eventId: `event${index}` }) }),
    })),
  ]
  return flowSchema.parse({
    version,
    events: isOld ? null : events,
    groups: isOld ? [startGroup, ...drawnGroups] : drawnGroups,
    edges,
    variables: variablesOf(drawnGroups, groups, parts),
    theme: parts.theme ?? {},
    settings: parts.settings ?? {},
  })
}

function variablesOf(drawn: unknown, groups: DraftGroup[], parts: BotParts): object[] {
  const text = JSON.stringify([drawn, parts.events, parts.theme, parts.settings])
  const names = new Set(Object.keys(parts.variables ?? {}))
  for (const name of parts.sessionVariables ?? []) names.add(name)
  for (const { blocks } of groups) for (const { saves } of blocks) if (saves) names.add(saves)
  for (const [, name] of text.matchAll(/\{\{(?![=$])([^{}]+)\}\}/g)) if (name) names.add(name)
  for (const [, id] of text.matchAll(/"[A-Za-z]*[vV]ariableId":"v([^"]+)"/g)) if (id) names.add(id)
  return [...names].map((name) => ({
    id: idOf(name),
    name,
    ...(parts.variables?.[name] === undefined ? {} : { value: parts.variables[name] }),
    ...(parts.sessionVariables?.includes(name) ? { isSessionVariable: true } : {}),
  }))
}
