/** Bots as large as bots may be, of about 4 MB each, with their mass in different places. */
import { ask, block, bot, type Draft, group, p, set, show, when } from "../../test/support/bots.ts"

const groupCount = 500
const pad =
  "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor. "

/** The large bots by where their mass lies. */
export const largeBots: Readonly<Record<string, () => ReturnType<typeof bot>>> = {
  "500 groups": largeBot,
  "one group": () => botOf(4_998, (n) => `Paragraph ${n}. ${pad.repeat(7)}`),
  "one text": () => botOf(35, () => "x".repeat(100_000)),
  "beyond ASCII": () => botOf(4_500, () => "Žluťoučký kůň 日本語 🙂 ".repeat(20)),
}

/** Questions, answers, branches, requests and scripts, ten blocks a group, each group led to the next. */
export function largeBot() {
  const groups = Array.from({ length: groupCount }, (_, n) => group(`Group ${n}`, ...blocksOf(n)))
  return bot({}, ...groups)
}

function blocksOf(n: number): Draft[] {
  const heard = `Name ${n % 200}`
  const other = `Name ${(n + 7) % 200}`
  return [
    longText(`Question ${n} for {{${other}}}`, 2),
    ask.text({ id: `${n}-name`, saves: heard }),
    longText(`Thank you, {{${heard}}}!`, 3),
    set(other, `{{${heard}}}`),
    ask.choice(["Choice 0", "Choice 1", "Choice 2", "Choice 3"], { id: `${n}-pick` }),
    when([[heard, "Contains", "never"]]),
    show("image", { url: `https://pictures.example/${n}.png` }),
    block("Code", { isExecutedOnClient: true, content: `// ${pad.repeat(12)}` }),
    longText(`${n} more to say about {{${heard}}}`, 7),
    longText("On to the next one.", 3, n + 1 < groupCount ? { to: `Group ${n + 1}` } : {}),
  ]
}

/** A text of a paragraph of its own words and some that are there for their size. */
function longText(text: string, paragraphs: number, more: Partial<Draft> = {}): Draft {
  const padding = Array.from({ length: paragraphs }, () => p(pad.repeat(4)))
  return { type: "text", content: { richText: [p(text), ...padding] }, ...more }
}

/** A bot with so many texts in its only group; its first two blocks wait for answers. */
function botOf(count: number, textOf: (n: number) => string) {
  const said = Array.from({ length: count }, (_, n) => longText(textOf(n), 0))
  return bot(group("All", ask.text({ id: "first" }), ask.text({ id: "second" }), ...said))
}
