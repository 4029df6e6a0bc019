/** Random drafts of every kind of block, most of them sound, and random edits of them. */
import fc from "fast-check"
import { blockSchema, blockTypes } from "../../src/engine/blocks/registry.ts"
import { flowSchema } from "../../src/engine/bot.ts"
import type { Draft } from "../../src/engine/edit/draft.ts"
import type { Edit } from "../../src/engine/edit/editSchema.ts"
import type { Source } from "../../src/engine/edit/exits.ts"
import { isMembers } from "../../src/lib/json.ts"
import { deepFreeze } from "./freeze.ts"
import { hostileBlock } from "./hostile.ts"

type Members = Record<string, unknown>

/** Blocks of every type, with whatever their schemas allow, and two of no known type. */
const samples: readonly Members[] = [
  ...Object.entries(blockTypes).flatMap(([type, { schema }]) =>
    fc
      .sample(
        hostileBlock(schema, { edges: ["gone"], groups: ["g0"], blocks: ["b0"], bots: ["kid"] }),
        { numRuns: 3 },
      )
      .map((block) => blockSchema.parse({ ...block, type })),
  ),
  { type: "hologram", depth: [1, { more: null }] },
  { type: "hologram", items: [{ id: "x", paths: [{ id: "y" }] }, { id: "z" }] },
]

/** A number that decides something, whatever there is to decide among. */
export type Choice = readonly number[]

const choice: fc.Arbitrary<Choice> = fc.array(fc.nat(9_999), { minLength: 6, maxLength: 6 })

/** Some choices. */
export const anyChoices = (maxLength: number) => fc.array(choice, { minLength: 1, maxLength })

function among<T>(list: readonly T[], number = 0): T | undefined {
  return list[number % list.length]
}

/** A block with ids of its own for its items and their paths. */
function blockFrom(id: string, number: number): Members {
  const { outgoingEdgeId: _, ...block } = among(samples, number) ?? {}
  const items = Array.isArray(block.items)
    ? { items: block.items.map((item, at) => partFrom(item, `${id}i${at}`)) }
    : {}
  return { ...block, ...items, id }
}

function partFrom(part: unknown, id: string): unknown {
  if (!isMembers(part)) return part
  const { outgoingEdgeId: _, ...members } = part
  const paths = Array.isArray(members.paths)
    ? { paths: members.paths.map((path, at) => partFrom(path, `${id}p${at}`)) }
    : {}
  return { ...members, ...paths, id }
}

/** Every place that an edge can leave. */
export function placesIn({ events, groups }: Pick<Draft, "events" | "groups">): Source[] {
  const partsOf = (part: unknown, name: string) => {
    const parts = isMembers(part) ? part[name] : undefined
    return Array.isArray(parts) ? parts.filter(isMembers) : []
  }
  return [
    ...(events ?? []).map(({ id }) => ({ eventId: id })),
    ...groups.flatMap(({ blocks }) =>
      blocks.flatMap((block) => [
        { blockId: block.id },
        ...partsOf(block, "items").flatMap((item) => [
          { blockId: block.id, itemId: String(item.id) },
          ...partsOf(item, "paths").map((path) => ({
            blockId: block.id,
            itemId: String(item.id),
            pathId: String(path.id),
          })),
        ]),
      ]),
    ),
  ]
}

const coordinates = (number: number) => ({ x: number % 7, y: number % 5 })

type Seeds = { groups: number[][]; edges: Choice[]; events: number; wild: Choice[]; looks: Choice }

/** A draft whose edges are named where they leave; `wild` breaks some of that, as exports do. */
function draftFrom({ groups, edges, events, wild, looks }: Seeds): Draft {
  let blocks = 0
  const [first = 0, second = 0, third = 0] = looks
  const flow = {
    version: "6.1",
    events: Array.from({ length: events + 1 }, (_, at) => ({
      id: `e${at}`,
      type: at === 0 ? "start" : among(["command", "reply", "invalidReply", "idle"], at),
      graphCoordinates: coordinates(at),
    })),
    groups: groups.map((numbers, at) => ({
      id: `g${at}`,
      title: `Group ${at % 3}`,
      graphCoordinates: coordinates(at),
      blocks: numbers.map((number) => blockFrom(`b${blocks++}`, number)),
    })),
    edges: [],
    variables: Array.from({ length: first % 4 }, (_, at) => ({ id: `v${at}`, name: `Name ${at}` })),
    theme: among(themes, second),
    settings: among(allSettings, third),
  }
  let draft: Draft = { ...flowSchema.parse(flow), ...owned }
  for (const [at, numbers] of edges.entries()) {
    const edit = edgeFrom(draft, `k${at}`, numbers)
    if (edit) draft = connect(draft, edit)
  }
  for (const [at, numbers] of wild.entries()) draft = spoil(draft, `w${at}`, numbers)
  return draft
}

const owned = {
  name: "Shop",
  icon: null,
  selectedThemeTemplateId: null,
  resultsTablePreferences: null,
  publicId: "shop",
  customDomain: null,
  isClosed: false,
  whatsAppCredentialsId: null,
}

export const themes = [
  {},
  { customCss: "a {}" },
  { general: { font: "Arial", background: { type: "Color", content: "#fff" } }, chat: {} },
  {
    general: { font: { type: "Custom", family: "A", css: "b {}" } },
    chat: { roundness: "none", inputs: { color: "red", border: { thickness: 1 } } },
  },
] as const satisfies Draft["theme"][]

export const allSettings = [
  {},
  { general: { language: "de", systemMessages: { botClosed: "Closed" } } },
  { security: { allowedOrigins: ["https://a.example.com"] }, typingEmulation: { speed: 300 } },
  { metadata: {}, whatsApp: { startCondition: { comparisons: [{ id: "c", value: "x" }] } } },
] satisfies Draft["settings"][]

/** Draws an edge by hand, not by the code that is tested. */
function connect(draft: Draft, edge: Draft["edges"][number]): Draft {
  const copy: Draft = structuredClone(draft)
  const { eventId, blockId, itemId, pathId } = edge.from
  const all = [...(copy.events ?? []), ...copy.groups.flatMap(({ blocks }) => blocks)]
  let owner: unknown = all.find(({ id }) => id === (eventId ?? blockId))
  for (const [name, id] of Object.entries({ items: itemId, paths: pathId })) {
    const parts = isMembers(owner) ? (owner[name] as Members[] | undefined) : undefined
    if (id !== undefined) owner = parts?.find((part) => part.id === id)
  }
  if (!isMembers(owner) || owner.outgoingEdgeId !== undefined) return draft
  owner.outgoingEdgeId = edge.id
  copy.edges.push(edge)
  return copy
}

function edgeFrom(draft: Draft, id: string, [one, two = 0, three]: Choice) {
  const from = among(placesIn(draft), one)
  const group = among(draft.groups, two)
  if (!from || !group) return undefined
  const block = two % 3 === 0 ? among(group.blocks, three) : undefined
  return { id, from, to: { groupId: group.id, ...(block ? { blockId: block.id } : {}) } }
}

/** An edge that nothing names, that leads nowhere, or a name without an edge. */
function spoil(draft: Draft, id: string, [kind = 0, ...numbers]: Choice): Draft {
  const edge = edgeFrom(draft, id, numbers)
  if (!edge) return draft
  if (kind % 5 === 4) return { ...draft, edges: [...draft.edges, astray(draft, edge, numbers)] }
  if (kind % 4 === 0) return { ...draft, edges: [...draft.edges, edge] }
  if (kind % 4 === 1) {
    return { ...draft, edges: [...draft.edges, { ...edge, from: { blockId: "new1" } }] }
  }
  const lost = connect(draft, { ...edge, to: { groupId: "new0", blockId: "new1" } })
  return kind % 4 === 2 ? lost : { ...connect(draft, edge), edges: draft.edges }
}

/** An edge to a block that is in another group than the edge says. */
function astray(draft: Draft, edge: Draft["edges"][number], [, , three]: Choice) {
  const away = draft.groups.filter(({ id }) => id !== edge.to.groupId)
  const block = among(
    away.flatMap(({ blocks }) => blocks),
    three,
  )
  return { ...edge, to: { ...edge.to, ...(block ? { blockId: block.id } : {}) } }
}

/** Drafts, frozen. */
export const anyDraft: fc.Arbitrary<Draft> = fc
  .record({
    groups: fc.array(fc.array(fc.nat(9_999), { maxLength: 4 }), { maxLength: 4 }),
    edges: fc.array(choice, { maxLength: 8 }),
    events: fc.nat(3),
    wild: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Choice[]>([]) },
      { weight: 1, arbitrary: fc.array(choice, { maxLength: 3 }) },
    ),
    looks: choice,
  })
  .map((seeds) => deepFreeze(draftFrom(seeds)))

/** An edit of a draft, most often one that can be made. */
export function editFrom(draft: Draft, choice: Choice): Edit {
  const [kind = 0, one = 0, two = 0, three = 0, four = 0, five = 0] = choice
  const blocks = draft.groups.flatMap((group) => group.blocks)
  // One of those that exist, or a new one.
  const idIn = (list: readonly { id: string }[] | null, number: number) =>
    among([...(list ?? []), { id: "new0" }, { id: "new1" }], number)?.id ?? ""
  const groupId = idIn(draft.groups, one)
  const index = three % 3 === 0 ? { index: three % 5 } : {}
  const alone = four % 5 === 0 ? { isAlone: true as const } : {}
  const edge = edgeFrom(draft, idIn(draft.edges, four), [one, two, three]) ?? {
    id: "new0",
    from: { eventId: "e0" },
    to: { groupId },
  }
  const block = blockFrom(idIn(blocks, two), five) as Draft["groups"][number]["blocks"][number]
  const eventId = idIn(draft.events, one)
  const ways: Edit[] = [
    {
      type: "group.put",
      group: {
        ...{ id: groupId, title: `Title ${two % 3}`, graphCoordinates: coordinates(two) },
        blocks: draft.groups.some(({ id }) => id === groupId) ? [] : [{ ...block, id: "new1" }],
      },
      ...index,
    },
    { type: "group.remove", groupId, ...alone },
    { type: "block.put", groupId: homeOf(draft, block.id) ?? groupId, block, ...index },
    { type: "block.move", ...moveIn(draft, { block, groupId, two }), index: three % 5, ...alone },
    { type: "block.remove", blockId: block.id, ...alone },
    { type: "edge.put", edge, ...index, ...alone },
    { type: "edge.remove", edgeId: idIn(draft.edges, one), ...alone },
    {
      type: "variable.put",
      variable: { id: idIn(draft.variables, one), name: `Name ${two % 4}` },
      ...index,
    },
    { type: "variable.remove", variableId: idIn(draft.variables, one) },
    {
      type: "event.put",
      event: {
        ...{ id: eventId, graphCoordinates: coordinates(two) },
        type: eventId === "e0" ? "start" : "reply",
      },
      ...(eventId === "e0" ? {} : index),
    },
    { type: "event.remove", eventId, ...alone },
    { type: "theme.merge", theme: among(patches, one) ?? {} },
    { type: "settings.merge", settings: among(settingsPatches, one) ?? {} },
    { type: "bot.set", ...among(sets, one) },
  ]
  return among(ways, kind) ?? { type: "bot.set" }
}

/** Every other time to where an edge already looks for a block that is elsewhere. */
function moveIn(draft: Draft, move: { block: { id: string }; groupId: string; two: number }) {
  const { block, groupId, two } = move
  const strays = draft.edges.flatMap(({ to }) =>
    to.blockId !== undefined && ![to.groupId, undefined].includes(homeOf(draft, to.blockId))
      ? [{ blockId: to.blockId, groupId: to.groupId }]
      : [],
  )
  return (two % 2 === 0 ? among(strays, two) : undefined) ?? { blockId: block.id, groupId }
}

function homeOf({ groups }: Draft, blockId: string): string | undefined {
  return groups.find(({ blocks }) => blocks.some(({ id }) => id === blockId))?.id
}

type Merge<Type extends Edit["type"]> = Extract<Edit, { type: Type }>

const patches: Merge<"theme.merge">["theme"][] = [
  {},
  { chat: null },
  { chat: {} },
  { customCss: "c {}" },
  { customCss: null, general: { font: "Lato" } },
  { general: { font: { type: "Google", family: "B", css: null } } },
  { general: { background: null } },
  { chat: { roundness: "large" } },
  { chat: { roundness: null } },
  { chat: { inputs: { color: null } } },
  { chat: { inputs: { border: { thickness: 2 }, opacity: 0.5 } } },
]

const settingsPatches: Merge<"settings.merge">["settings"][] = [
  { general: null },
  { general: { language: "fr" } },
  { general: { systemMessages: { botClosed: null } } },
  { security: { allowedOrigins: [] } },
  { metadata: { title: "T" } },
  { whatsApp: { startCondition: { comparisons: [] } } },
  { typingEmulation: { speed: null, enabled: false } },
]

const sets: Omit<Merge<"bot.set">, "type">[] = [
  { name: "Other" },
  { icon: "☕", publicId: null },
  { isClosed: true, name: undefined },
  { resultsTablePreferences: { columnsOrder: ["a"], columnsVisibility: {}, columnsWidth: {} } },
]
