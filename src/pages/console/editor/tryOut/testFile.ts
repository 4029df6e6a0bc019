/** Writes the conversation of a preview as a file for `parley test`. */
import type { PreviewTurn } from "@parley/client"
import { isRecord } from "../blocks/blockSchema.ts"

type Message = PreviewTurn["step"]["messages"][number]

/** The file; strings are written as JSON, which YAML reads. */
export function testFileOf(
  turns: readonly PreviewTurn[],
  { name, variables }: { name: string; variables: Readonly<Record<string, unknown>> },
): string {
  const lines = turns.flatMap(({ sent, step }) => [
    ...sentLines(sent),
    ...step.messages.flatMap(botLines),
    ...(step.input ? [`  - input: ${step.input.type}`] : []),
  ])
  const isOver = turns.length > 0 && turns.at(-1)?.step.input === undefined
  const names = Object.keys(variables)
  return [
    `bot: ./${fileNameOf(name)}.json`,
    ...(names.length > 0 ? [`start: { variables: ${JSON.stringify(variables)} }`] : []),
    "conversation:",
    ...lines,
    ...(isOver ? ["expect: { completed: true }"] : []),
    "",
  ].join("\n")
}

const fileNameOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "") || "bot"

function sentLines(sent: PreviewTurn["sent"]): string[] {
  const text = typeof sent === "string" ? sent : sent?.type === "text" ? sent.text : undefined
  return text === undefined ? [] : [`  - user: ${JSON.stringify(text)}`]
}

/** A text with formats is Markdown in a test: what it says without them must be in it. */
function botLines({ type, content }: Message): string[] {
  if (type !== "text") {
    const url = isRecord(content) && typeof content.url === "string" ? content.url : ""
    const kind = type === "custom-embed" ? "embed" : type
    return [`  - bot: { ${kind}: ${JSON.stringify(url)} }`]
  }
  const leaves = leavesOf(content)
  const [longest] = leaves.toSorted((one, other) => other.length - one.length)
  if (longest === undefined) return []
  const isPlain = leaves.length === 1 && /^[\p{L}\p{N} ,.?!'’:;-]+$/u.test(longest)
  const said = JSON.stringify(longest)
  return [`  - bot: ${isPlain ? said : `{ contains: ${said} }`}`]
}

function leavesOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(leavesOf)
  if (!isRecord(node)) return []
  if (typeof node.text === "string") return node.text.trim() === "" ? [] : [node.text]
  return [...leavesOf(node.richText), ...leavesOf(node.children)]
}
