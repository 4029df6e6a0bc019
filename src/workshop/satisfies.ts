/** Matches outputs of the bot with steps of a test. */
import { type Fuel, measure, readingUnits, spend } from "../engine/budget/fuel.ts"
import { findsMatch } from "../engine/regex/findsMatch.ts"
import { readRegex } from "../engine/regex/readRegex.ts"
import type { TestStep } from "./files/testFileSchema.ts"
import { findText, fits } from "./play/fits.ts"
import type { Heard } from "./play/heard.ts"

/** Whether an output satisfies a step about the bot. */
export function satisfies({ bot, input, action }: TestStep, heard: Heard, fuel: Fuel): boolean {
  spend(fuel, readingUnits(measure(heard, fuel) + measure([bot, input, action], fuel)))
  if (bot !== undefined) return heard.kind === "bot" && saysAsExpected(bot, heard, fuel)
  if (input !== undefined) return heard.kind === "input" && asksAsExpected(input, heard)
  return action !== undefined && heard.kind === "action" && fits(action, heard.action)
}

/** Describes a step's expectation in one line. */
export function describeStep({ bot, input, action }: TestStep): string {
  if (typeof bot === "object") {
    return Object.entries(bot)
      .map(([key, value]) => `${key}: ${value}`)
      .join(", ")
  }
  if (typeof input === "object") {
    const { type, choices } = input
    return [type, choices && `[${choices.join(", ")}]`].filter(Boolean).join(" ")
  }
  return bot ?? input ?? JSON.stringify(action) ?? ""
}

function asksAsExpected(
  expected: NonNullable<TestStep["input"]>,
  heard: Extract<Heard, { kind: "input" }>,
): boolean {
  const { type = undefined, choices = undefined } =
    typeof expected === "string" ? { type: expected } : expected
  if (type !== undefined && type !== heard.type) return false
  return choices === undefined || fits(choices, heard.choices ?? [])
}

function saysAsExpected(
  expected: NonNullable<TestStep["bot"]>,
  { type, text }: Extract<Heard, { kind: "bot" }>,
  fuel: Fuel,
): boolean {
  if (typeof expected === "string") return type === "text" && expected.trim() === text.trim()
  const { contains, matches, ...shown } = expected
  if (contains !== undefined) return findText(text, contains) >= 0
  if (matches !== undefined) return isMatch(matches, text, fuel)
  const [[kind, url] = []] = Object.entries(shown)
  return kind !== undefined && type.endsWith(kind) && fits(url, text)
}

/** Runs in linear time, as the expressions of flows do. */
function isMatch(pattern: string, text: string, fuel: Fuel): boolean {
  const regex = readRegex(pattern, fuel)
  return regex !== undefined && findsMatch(regex, text, fuel)
}
