/** Bots as large as bots may be, of about 4 MB each, with their mass in different places. */

const place = { x: 0, y: 0 }
const groupCount = 500
const pad =
  "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor. "

/** The large bots by where their mass lies. */
export const largeBots: Readonly<Record<string, () => object>> = {
  "500 groups": largeBot,
  "one group": oneGroupBot,
  "one text": oneTextBot,
  "beyond ASCII": foreignBot,
}

/** Questions, answers, branches, requests and scripts, ten blocks a group, each group led to the next. */
export function largeBot() {
  return {
    version: "6.1",
    name: "As large as may be",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: place }],
    groups: Array.from({ length: groupCount }, (_, n) => ({
      id: `g${n}`,
      title: `Group ${n}`,
      graphCoordinates: { x: 300 * (n % 20), y: 400 * Math.floor(n / 20) },
      blocks: blocksOf(n),
    })),
    edges: Array.from({ length: groupCount }, (_, n) => ({
      id: `e${n}`,
      from: n === 0 ? { eventId: "start" } : { blockId: `${n - 1}-last` },
      to: { groupId: `g${n}` },
    })),
    variables: Array.from({ length: 200 }, (_, n) => ({ id: `v${n}`, name: `Name ${n}` })),
    theme: {},
    settings: {},
  }
}

function blocksOf(n: number): object[] {
  const [heard, told] = [n % 200, (n + 7) % 200]
  const next = n + 1 < groupCount ? { outgoingEdgeId: `e${n + 1}` } : {}
  return [
    say(`${n}-hello`, `Question ${n} for {{Name ${told}}}`, 8),
    { id: `${n}-name`, type: "text input", options: { variableId: `v${heard}` } },
    say(`${n}-thanks`, `Thank you, {{Name ${heard}}}!`, 12),
    {
      id: `${n}-set`,
      type: "Set variable",
      options: { variableId: `v${told}`, expressionToEvaluate: `{{Name ${heard}}}` },
    },
    { id: `${n}-pick`, type: "choice input", items: choices(n) },
    {
      id: `${n}-if`,
      type: "Condition",
      items: [{ id: `${n}-yes`, content: { comparisons: [comparison(n, heard)] } }],
    },
    { id: `${n}-picture`, type: "image", content: { url: `https://pictures.example/${n}.png` } },
    {
      id: `${n}-code`,
      type: "Code",
      options: { isExecutedOnClient: true, content: `// ${pad.repeat(12)}` },
    },
    say(`${n}-more`, `${n} more to say about {{Name ${told}}}`, 28),
    { ...say(`${n}-last`, "On to the next one.", 12), ...next },
  ]
}

const choices = (n: number) =>
  Array.from({ length: 4 }, (_, item) => ({ id: `${n}-item${item}`, content: `Choice ${item}` }))

const comparison = (n: number, heard: number) => ({
  id: `${n}-comparison`,
  variableId: `v${heard}`,
  comparisonOperator: "Contains",
  value: "never",
})

/** A text of a paragraph of its own words and some that are there for their size. */
const say = (id: string, text: string, pads: number) => ({
  id,
  type: "text",
  content: {
    richText: [text, ...Array<string>(Math.ceil(pads / 4)).fill(pad.repeat(4))].map((line) => ({
      type: "p",
      children: [{ text: line }],
    })),
  },
})

/** A bot with so many blocks in its only group; the first two wait for answers. */
function botOf(blocks: object[]) {
  const edge = { id: "e0", from: { eventId: "start" }, to: { groupId: "g0" } }
  const asked = ["first", "second"].map((id) => ({ id, type: "text input" }))
  const group = { id: "g0", title: "All", graphCoordinates: place, blocks: [...asked, ...blocks] }
  return { ...largeBot(), groups: [group], edges: [edge], variables: [] }
}

function oneGroupBot() {
  return botOf(
    Array.from({ length: 4_998 }, (_, n) => say(`${n}`, `Paragraph ${n}. ${pad.repeat(7)}`, 0)),
  )
}

function oneTextBot() {
  return botOf(Array.from({ length: 35 }, (_, n) => say(`long${n}`, "x".repeat(100_000), 0)))
}

function foreignBot() {
  const words = "Žluťoučký kůň 日本語 🙂 ".repeat(20)
  return botOf(Array.from({ length: 4_500 }, (_, n) => say(`${n}`, words, 0)))
}
