/** Turns the messages and questions of a chat into lines for a terminal. */
import { styleText } from "node:util"
import type { ParleyOutputs } from "../../client.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import { type ChatInput, choicesOf, takesSeveral } from "./choices.ts"

/** One answer of the chat API. */
export type Step = ParleyOutputs["chat"]["continue"]

type Message = Step["messages"][number]

/** The lines of one message; pictures, videos and pages appear as addresses. */
export function linesOfMessage({ type, content }: Message): string[] {
  if (type === "text") return wordsOf(content).split("\n")
  const address = "url" in content ? content.url : undefined
  if (type === "file") {
    const { name = "", caption } = content
    return [`[file] ${name} ${address ?? ""}`, ...(caption?.split("\n") ?? [])]
  }
  return [`[${type}] ${address ?? "shown by browsers only"}`]
}

/** The lines of a question: its numbered choices, and how to answer. */
export function linesOfInput(input: ChatInput): string[] {
  const lines = choicesOf(input).flatMap(({ label, of, details }, index) => [
    `  ${index + 1}. ${of === undefined ? label : `${of}: ${label}`}`,
    ...details.map((line) => `     ${line}`),
  ])
  return [...lines, ...hintsOf(input).map((hint) => `  (${hint})`)]
}

/** The lines of an action for the client, except those that the terminal performs. */
export function linesOfAction(action: NonNullable<Step["clientSideActions"]>[number]): string[] {
  if (action.type === "redirect") return [`[redirect] ${action.redirect.url ?? ""}`]
  if (action.type === "wait" || action.type === "startPropsToInject") return []
  return [`[${action.type}] left out: it needs a browser`]
}

/** Markdown with terminal styles for its emphasis, and without marks and escapes. */
export function emphasised(markdown: string): string {
  return markdown
    .replace(/(?<![\\*])\*\*(?=\S)(.+?)(?<=[^\s\\])\*\*/g, (_, text: string) =>
      styled("bold", text),
    )
    .replace(/(?<![\\*\w])([*_])(?=\S)(.+?)(?<=[^\s\\])\1(?![*\w])/g, (_, __, text: string) =>
      styled("italic", text),
    )
    .replace(/\\([\\*_~`[\]<>#])/g, "$1")
}

function styled(style: "bold" | "italic", text: string): string {
  return styleText(style, text, { validateStream: false })
}

function wordsOf(content: Extract<Message, { type: "text" }>["content"]): string {
  const words = content.type === "markdown" ? content.markdown : toMarkdown(content.richText)
  return words.trimEnd()
}

function hintsOf(input: ChatInput): string[] {
  const hints: string[] = []
  if (takesSeveral(input)) hints.push("several numbers, separated by commas")
  if (input.type === "file input") hints.push("the address of a file")
  if (input.type === "rating input") {
    const { startsAt = 0, length = 10 } = input.options ?? {}
    hints.push(`a number from ${startsAt} to ${length}`)
  }
  if (input.type === "payment input") {
    const label = input.runtimeOptions?.amountLabel
    hints.push(`a payment${label === undefined ? "" : ` of ${label}`}: it needs a browser`)
  }
  const { prefilledValue } = input
  if (prefilledValue !== undefined) hints.push(`empty line: ${prefilledValue}`)
  return hints
}
