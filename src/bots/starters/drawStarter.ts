/** Draws the picture of a starter: its first messages and question, in the colours of its theme. */
import { builtInTheme } from "../builtInThemes.ts"
import type { Starter } from "./starter.ts"

const width = 320
const height = 200
const lineHeight = 17
/** Characters of a line at 13 pixels, in the widest font of the themes. */
const lineLength = 30

/** Colours of a page without its own. */
const plain = {
  page: "#ffffff",
  host: "#eef0f4",
  text: "#1c2230",
  hint: "#5f6675",
  line: "#8a91a0",
}

/** The picture as a `data:` address, which pages show without loading anything. */
export function pictureOf(starter: Starter): string {
  return `data:image/svg+xml,${encodeURIComponent(drawStarter(starter))}`
}

export function drawStarter(starter: Starter): string {
  const { general = {}, chat = {} } = builtInTheme(starter.themeId)?.theme ?? {}
  const behind = general.background?.content ?? plain.page
  const page = chat.container?.backgroundColor ?? behind
  const host = chat.hostBubbles?.backgroundColor ?? plain.host
  const text = chat.hostBubbles?.color ?? plain.text
  const accent = chat.buttons ?? {}
  const radius = chat.roundness === "none" ? 0 : chat.roundness === "large" ? 14 : 6
  const font = `${general.font ?? "system-ui"}, sans-serif`
  const { messages, answers, hint } = openingOf(starter)
  const parts: string[] = []
  let y = 26
  for (const lines of messages.slice(0, 2)) {
    const high = lines.length * lineHeight + 14
    const wide = Math.max(...lines.map((line) => line.length)) * 7.4 + 22
    parts.push(box({ x: 34, y, width: wide, height: high, radius, fill: host }))
    parts.push(...lines.map((line, row) => words(line, 45, y + 20 + row * lineHeight, text)))
    y += high + 8
  }
  let x = 34
  for (const label of answers) {
    const wide = label.length * 7.4 + 22
    if (x + wide > width - 30) break
    const fill = accent.backgroundColor ?? text
    parts.push(box({ x, y, width: wide, height: 28, radius, fill }))
    parts.push(words(label, x + 11, y + 19, accent.color ?? page))
    x += wide + 8
  }
  if (hint !== undefined) {
    const {
      backgroundColor = plain.page,
      placeholderColor = plain.hint,
      border,
    } = chat.inputs ?? {}
    const line = border?.color ?? plain.line
    parts.push(box({ x: 34, y, width: 252, height: 32, radius, fill: backgroundColor }, line))
    parts.push(words(hint, 45, y + 21, placeholderColor))
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="${escaped(behind)}"/>`,
    page === behind ? "" : box({ x: 18, y: 12, width: 284, height: 176, radius: 12, fill: page }),
    ...parts,
    "</svg>",
  ].join("")
}

/** The first messages, in lines, and what the first question offers. */
function openingOf({ groups }: Starter) {
  const blocks = groups.slice(0, 2).flatMap((group) => group.blocks)
  const question = blocks.findIndex(({ content, options }) => !content && options)
  const { items = [], options } = blocks[question] ?? {}
  const { placeholder } = (options as { labels?: { placeholder?: string } })?.labels ?? {}
  const messages = blocks.slice(0, question).flatMap(({ content }) => content?.richText ?? [])
  return {
    messages: messages.map(({ children }) => wrapped(children.map(({ text }) => text).join(""))),
    answers: items.map(({ content }) => String(content)),
    // Ratings have no hint.
    hint: items.length > 0 ? undefined : (placeholder ?? "★ ★ ★ ★ ★"),
  }
}

/** At most two lines of whole words. */
function wrapped(text: string): string[] {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim()
    if (line.length <= lineLength) lines[lines.length - 1] = line
    else lines.push(word)
  }
  const [first = "", second, third] = lines
  if (second === undefined) return [first]
  return [first, third === undefined ? second : `${second} …`]
}

type Box = { x: number; y: number; width: number; height: number; radius: number; fill: string }

function box({ radius, fill, ...place }: Box, line?: string): string {
  const sides = Object.entries(place).map(([name, value]) => `${name}="${Math.round(value)}"`)
  const border = line === undefined ? "" : ` stroke="${escaped(line)}"`
  return `<rect ${sides.join(" ")} rx="${radius}" fill="${escaped(fill)}"${border}/>`
}

function words(text: string, x: number, y: number, fill: string): string {
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" fill="${escaped(fill)}">${escaped(text)}</text>`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)
