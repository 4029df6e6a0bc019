/** Markdown that is known to keep parsers busy, and the time that ours takes. */

/** A text of up to 50 kB, and the time of the processor for it, measured with warm code. */
type Hostile = { text: string; microseconds: number }

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/** By what the texts are made of. */
export const hostileMarkdown: Readonly<Record<string, Hostile>> = {
  emphasis: { text: "*a **b ".repeat(7_000), microseconds: 31_100 },
  "open brackets": { text: `${"[".repeat(50_000)}*`, microseconds: 27_500 },
  "closed brackets": { text: `${"[".repeat(25_000)}${"](x)".repeat(6_000)}`, microseconds: 15_500 },
  quotes: { text: `${"> ".repeat(25_000)}a`, microseconds: 4_400 },
  lists: { text: many(300, (depth) => `${" ".repeat(depth)}- a`).join("\n"), microseconds: 1_600 },
  "lists of numbers": { text: `${"1. ".repeat(16_000)}a`, microseconds: 1_500 },
  backticks: { text: many(300, (length) => "`".repeat(length)).join(" "), microseconds: 3_000 },
  "fences and quotes": { text: "> ```\n".repeat(8_000), microseconds: 8_900 },
  "reference definitions": {
    text: many(4_000, (index) => `[a${index}]: b`).join("\n"),
    microseconds: 6_800,
  },
  "references to references": {
    text: `[a]: ${"b".repeat(1_000)}\n\n${"[a]".repeat(15_000)}`,
    microseconds: 42_500,
  },
  entities: { text: "&#106;&amp;".repeat(4_500), microseconds: 7_800 },
  "open HTML": { text: "<a ".repeat(16_000), microseconds: 4_700 },
  comments: { text: "<!--".repeat(12_000), microseconds: 1_700 },
  autolinks: { text: "<http://a".repeat(5_000), microseconds: 2_600 },
  escapes: { text: "\\*".repeat(25_000), microseconds: 16_500 },
  "rules and titles": { text: "a\n===\n".repeat(8_000), microseconds: 35_900 },
  tables: {
    text: `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n${`${"|b".repeat(500)}|\n`.repeat(45)}`,
    microseconds: 1_000,
  },
  "tables of short rows": {
    text: `${"|a".repeat(20)}|\n${"|-".repeat(20)}|\n${"b\n".repeat(200)}\n`.repeat(10),
    microseconds: 115_000,
  },
  "tables in quotes": {
    text: `> ${"|a".repeat(20)}|\n> ${"|-".repeat(20)}|\n${"> b\n".repeat(200)}\n`.repeat(8),
    microseconds: 98_000,
  },
  "many tables": { text: "a|b\n-|-\n\n".repeat(5_500), microseconds: 61_000 },
  "lone emphasis": { text: "a* ".repeat(16_000), microseconds: 22_600 },
  "strong emphasis": { text: "***a*** ".repeat(6_000), microseconds: 46_000 },
  "addresses of mail": { text: "<a@b.co>".repeat(6_000), microseconds: 28_300 },
  "pictures by reference": { text: `[x]: y\n\n${"![a][x]".repeat(7_000)}`, microseconds: 34_500 },
  lines: { text: `*${"a\n".repeat(25_000)}`, microseconds: 68_400 },
  paragraphs: { text: "a\n\n*".repeat(12_000), microseconds: 86_200 },
  "lists in lists": { text: `${"- ".repeat(10)}a\n`.repeat(2_200), microseconds: 64_700 },
  "quotes in lists": { text: "- > - > - > a\n".repeat(3_500), microseconds: 92_800 },
  "lines that go on with many quotes": {
    text: `${">".repeat(19)}${"a\n".repeat(25_000)}`,
    microseconds: 51_900,
  },
  "pictures in pictures": {
    text: `${"![".repeat(18)}${"[a](b)".repeat(8_000)}${"](a)".repeat(18)}`,
    microseconds: 10_100,
  },
  items: { text: "- a\n".repeat(12_000), microseconds: 101_400 },
  titles: { text: "# a\n".repeat(12_000), microseconds: 50_300 },
  "open pictures": { text: `${"![".repeat(25_000)}*`, microseconds: 38_000 },
}
