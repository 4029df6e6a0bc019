/** Formats log lines for a terminal: time, level, message, then the other members. */
import { styleText } from "node:util"
import type { DestinationStream } from "pino"
import { visible } from "../lib/visible.ts"

type Failure = { type?: string; message?: string; stack?: string; cause?: Failure }

type Line = { level?: string; time?: string; msg?: string; err?: Failure }

const colours = {
  fatal: "red",
  error: "red",
  warn: "yellow",
  info: "green",
  debug: "gray",
  trace: "gray",
} as const

/** A stream that takes log lines and writes them for people. */
export function prettyStream(
  to: { write(text: string): unknown },
  { hasColour }: { hasColour: boolean },
): DestinationStream {
  return { write: (json) => void to.write(prettyLine(json, { hasColour })) }
}

/** A JSON log line as lines for people. Any other text is only made safe for the terminal. */
export function prettyLine(json: string, { hasColour }: { hasColour: boolean }): string {
  const line = parse(json)
  if (line === undefined) return visible(json)
  const { level = "info", time = "", msg = "", err, ...members } = line
  const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
    hasColour ? styleText(colour, text, { validateStream: false }) : text
  const colour = level in colours ? colours[level as keyof typeof colours] : "gray"
  const facts = Object.entries(members).map(([name, value]) => visible(`${name}=${printed(value)}`))
  const head = [
    paint("gray", visible(String(time).slice(11, 19))),
    paint(colour, visible(String(level).toUpperCase().padEnd(5))),
    visible(String(msg)),
    ...facts.map((fact) => paint("gray", fact)),
  ]
  const stack = stacksOf(err).map((each) => `\n  ${visible(each).replaceAll("\n", "\n  ")}`)
  return `${head.join(" ")}${stack.join("")}\n`
}

function stacksOf(failure: Failure | undefined): string[] {
  if (failure === undefined) return []
  const { type = "Error", message = "", stack = `${type}: ${message}`, cause } = failure
  return [stack, ...stacksOf(cause).map((each) => `Because of ${each}`)]
}

function parse(json: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(json)
    return typeof line === "object" && line !== null ? line : undefined
  } catch {
    return undefined
  }
}

function printed(value: unknown): string {
  return typeof value === "string" && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value)
}
