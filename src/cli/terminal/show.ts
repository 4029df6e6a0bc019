/** Writes what a chat says and asks as lines for a terminal. */
import { styleText } from "node:util"
import type { ParleyOutputs } from "../../client.ts"
import { type ChatInput, choicesOf, takesSeveral } from "./choices.ts"

/** One answer of a chat. */
export type Step = ParleyOutputs["chat"]["continue"]

type Message = Step["messages"][number]

/** The lines of one message; pictures, clips and pages are their addresses. */
export function linesOfMessage({ type, content }: Message): string[] {
  if (type === "text") return wordsOf(content).split("\n")
  const address = "url" in content ? content.url : undefined
  return [`[${type}] ${address ?? "shown by browsers only"}`]
}

/** The lines of a question: its choices with their numbers, and how to answer. */
export function linesOfInput(input: ChatInput): string[] {
  const lines = choicesOf(input).flatMap(({ label, details }, index) => [
    `  ${index + 1}. ${label}`,
    ...details.map((line) => `     ${line}`),
  ])
  return [...lines, ...hintsOf(input).map((hint) => `  (${hint})`)]
}

/** The lines of something that the client is to do, beside what the terminal does itself. */
export function linesOfAction(action: NonNullable<Step["clientSideActions"]>[number]): string[] {
  if (action.type === "redirect") return [`[redirect] ${action.redirect.url ?? ""}`]
  if (action.type === "wait" || action.type === "startPropsToInject") return []
  return [`[${action.type}] left out: it needs a browser`]
}

/** Markdown with its emphasis as a terminal shows it, and without the marks and escapes. */
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
  // The format was asked for; a service that answers in another one has its raw nodes shown.
  return content.type === "markdown" ? content.markdown.trimEnd() : JSON.stringify(content.richText)
}

function hintsOf(input: ChatInput): string[] {
  const hints: string[] = []
  if (takesSeveral(input)) hints.push("several numbers with commas between them")
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
