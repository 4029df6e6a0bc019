/** Writes everything that the command line shows: text is made safe for a terminal, then painted. */
import { createInterface, type Interface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { styleText } from "node:util"
import { explain } from "../app/startProblem.ts"
import { visible } from "../lib/visible.ts"

/** A piece of a line, painted only after nothing in it can command a terminal. */
type Painted = { text: string; paint(clean: string): string }

/** A line as plain text, or in pieces, some of them painted. */
export type Line = string | readonly (string | Painted)[]

type Style = "bold" | "dim" | "red" | "green" | "yellow"

export type Paint = (style: Style, text: string) => string | Painted

/** Paints where lines may be painted. */
export function painter(hasColours: boolean): Paint {
  return (style, text) =>
    hasColours
      ? { text, paint: (clean) => styleText(style, clean, { validateStream: false }) }
      : text
}

/** The line as it is written. */
export function rendered(line: Line): string {
  const parts = typeof line === "string" ? [line] : line
  return parts
    .map((part) => (typeof part === "string" ? visible(part) : part.paint(visible(part.text))))
    .join("")
}

/** Writes a line: results go to standard output, remarks to standard error. */
export function writeLine(to: "stdout" | "stderr", line: Line): void {
  process[to].write(`${rendered(line)}\n`)
}

/**
 * Lets the reader of a pipe, such as `head`, leave early: the work is finished all the same, and the code of
 * the process is that of the work. What cannot be written for another reason, such as a full disk, ends it.
 */
export function forgiveClosedPipes(): void {
  for (const name of ["stdout", "stderr"] as const) {
    process[name].on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return
      if (name === "stdout") writeLine("stderr", `The output is incomplete. ${explain(error)}`)
      process.exit(1)
    })
  }
}

/** Whether lines on standard output may be painted. */
export function hasStyles({ NO_COLOR }: { NO_COLOR?: string | undefined }): boolean {
  return process.stdout.isTTY === true && !NO_COLOR
}

/** Shows progress on a terminal, replacing what it showed before. */
export function showProgress(text: string, isLast = false): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${visible(text)}${isLast ? "\n" : ""}`)
}

/** Copies data to standard output at its pace: unchanged, unless it is a terminal. */
export async function copyOut(data: AsyncIterable<Uint8Array>): Promise<void> {
  const shown = process.stdout.isTTY ? visibleText(data) : data
  // As bytes: a stream of objects would hold sixteen chunks, however large.
  await pipeline(Readable.from(shown, { objectMode: false }), process.stdout, { end: false })
}

async function* visibleText(data: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of data) yield visible(decoder.decode(bytes, { stream: true }))
  yield visible(decoder.decode())
}

/** Reads lines from standard input behind a prompt, and reports whether it is a terminal. */
export function openKeyboard(): { reader: Interface; isTyped: boolean } {
  const { stdin, stdout } = process
  const isTyped = stdin.isTTY === true
  const reader = createInterface({ input: stdin, output: stdout, terminal: isTyped, prompt: "> " })
  return { reader, isTyped }
}
