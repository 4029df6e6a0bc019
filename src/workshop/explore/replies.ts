/** What people may send to a question: what fits it, what is just at its bounds, and what means harm. */
import { answerVariable } from "../../engine/blocks/registry.ts"
import type { ChatInput } from "../../engine/chatInput.ts"
import { pick, pickList, pickText } from "../../engine/foreignJson.ts"
import { firstBy } from "../../engine/groupBy.ts"
import { memoize } from "../../engine/memoize.ts"
import { allowedExtensions } from "../../engine/mimeTypes.ts"
import type { TestStep } from "../files/schema.ts"
import { choicesOf } from "../play/heard.ts"
import { deciding, type FlowFacts } from "./flowFacts.ts"
import { witnessesOf } from "./witnesses.ts"

/** A reply; `isMeant`: one that an author would expect, so that the question should take it. */
export type Reply = { user: NonNullable<TestStep["user"]>; isMeant: boolean }

/** Longest text that is sent. */
const longText = "word ".repeat(4_000)

/** What means harm, or is nothing at all: every question has to cope with it. */
const hostile = [
  "",
  " ",
  "😀",
  "<b onclick=alert(1)>x</b> {{= 1 =}} **y**",
  "\u202Eشكرا",
  "undefined",
  longText,
]

/** The replies to a question, the plainest first. */
export function repliesTo(input: ChatInput, facts: FlowFacts): Reply[] {
  const known = facts.blocks.get(input.id)
  const variableId = known && answerVariable(known.entry.block)
  const witnesses = [...(witnessesOf(facts).get(variableId ?? "") ?? []), ...derived(facts)]
  const meant = meantFor(input, witnesses)
  const odd = [...witnesses, ...(oddFor[input.type] ?? []), ...hostile]
  const replies = [
    ...meant.map((user) => ({ user, isMeant: true })),
    ...odd.map((user) => ({ user, isMeant: false })),
    ...attached(input).map((user) => ({ user, isMeant: false })),
  ]
  return [...firstBy(replies, ({ user }) => JSON.stringify(user)).values()]
}

/** What variables that no question fills are compared with: they may come from any reply. */
const derived = memoize((facts: FlowFacts): string[] => {
  const values: string[] = []
  for (const [id, each] of witnessesOf(facts)) {
    const isDerived = deciding(facts).get(id) === "full" || facts.given.has(id)
    if (isDerived) values.push(...each.slice(0, 5))
  }
  return values.slice(0, 20)
})

/** What does not fit a type of question. */
const oddFor: Record<string, readonly string[]> = {
  "number input": ["0", "-1", "1.5", "1e309", "many"],
  "email input": ["not an address", "a@b"],
  "url input": ["not an address", "javascript:alert(1)"],
  "phone number input": ["12", "call me"],
  "date input": ["never", "31/02/2026"],
  "time input": ["25:99", "never"],
  "rating input": ["99", "many"],
  "choice input": ["something else"],
  "picture choice input": ["something else"],
  cards: ["something else"],
  "file input": ["not a file"],
}

function meantFor(input: ChatInput, witnesses: readonly string[]): readonly string[] {
  const choices = choicesOf(input)
  if (choices) return chosen(input, choices)
  const options: object = ("options" in input && input.options) || {}
  return fitting[input.type]?.(witnesses, options) ?? ["Success"]
}

/** What fits a type of question, with what conditions look for. */
const fitting: Record<string, (witnesses: readonly string[], options: object) => string[]> = {
  "text input": (witnesses) => ["Ann", ...witnesses],
  "number input": (witnesses, options) =>
    numbers(pick(options, "min"), pick(options, "max"), witnesses),
  "email input": (witnesses) => ["ann@example.com", ...witnesses.flatMap(addresses)],
  "url input": (witnesses) => [
    "https://example.com",
    ...witnesses.map((each) => `https://example.com/${each}`),
  ],
  "phone number input": (witnesses) => ["+14155552671", "+33123456789", ...witnesses],
  "date input": (_, options) => dates(options),
  "time input": () => ["10:30", "00:00", "23:59"],
  "rating input": (_, options) => ratings(pick(options, "length")),
  "file input": (_, options) => [`https://files.example/file.${extensionFor(options)}`],
}

/** Every choice; where labels are the same, by the ids of their items. */
function chosen(input: ChatInput, labels: readonly string[]): string[] {
  const isAmbiguous = new Set(labels).size < labels.length
  const ids = isAmbiguous
    ? pickList(input, "items").flatMap((item) => pickText(item, "id") ?? [])
    : []
  const isMultiple = pick(input, "options", "isMultipleChoice") === true
  const [one, other] = labels
  const both = isMultiple && one !== undefined && other !== undefined ? [`${one}, ${other}`] : []
  return [...labels.filter((label) => label !== ""), ...both, ...ids]
}

function numbers(least: unknown, most: unknown, witnesses: readonly string[]): string[] {
  const min = numberIn(least)
  const max = numberIn(most)
  const isWithin = (number: number) =>
    (min === undefined || number >= min) && (max === undefined || number <= max)
  const bounds = [min, max].flatMap((bound) =>
    bound === undefined ? [] : [bound, bound - 1, bound + 1],
  )
  const all = ["1", "20", ...bounds.map(String), ...witnesses]
  const fitting = all.filter((text) => isWithin(Number(text)))
  return fitting.length > 0 ? fitting : bounds.map(String)
}

/** A bound of 0 is not enforced. */
function numberIn(bound: unknown): number | undefined {
  const number = Number(bound)
  return bound === undefined || bound === "" || number === 0 || Number.isNaN(number)
    ? undefined
    : number
}

function addresses(part: string): string[] {
  if (part.startsWith("@")) return [`ann${part}`]
  return part.includes("@") ? [part] : [`ann@${part}`, `${part}@example.com`]
}

function dates(options: object): string[] {
  const isRange = pick(options, "isRange") === true
  const hasTime = pick(options, "hasTime") === true
  const bounds = ["min", "max"].flatMap((name) => {
    const bound = pickText(options, name)
    const instant = bound === undefined ? Number.NaN : Date.parse(bound.slice(0, 10))
    return Number.isNaN(instant) ? [] : [instant, instant + dayMs, instant - dayMs]
  })
  return [Date.UTC(2026, 0, 6), ...bounds].map((instant) => {
    const [day = ""] = new Date(instant).toISOString().split("T")
    const shown = hasTime ? `${day} 10:00` : day
    return isRange ? `${shown} to ${shown}` : shown
  })
}

const dayMs = 86_400_000

function ratings(length: unknown): string[] {
  const most = Math.min(Math.max(numberIn(length) ?? 10, 1), 100)
  return Array.from({ length: most }, (_, index) => String(index + 1))
}

function extensionFor(options: object): string {
  if (pick(options, "allowedFileTypes", "isEnabled") !== true) return "pdf"
  const types = pickList(options, "allowedFileTypes", "types").map(String)
  const [first] = types.length > 0 ? allowedExtensions(types) : []
  return first ?? "pdf"
}

/** What may be sent instead of words, or along with them. */
function attached(input: ChatInput): Exclude<Reply["user"], string>[] {
  const audio = { audio: "https://files.example/clip.mp3" }
  const files = { text: "Ann", files: ["https://files.example/file.pdf"] }
  const takes = (what: string) => pick(input, "options", what, "isEnabled") === true
  return [...(takes("audioClip") ? [audio] : []), ...(takes("attachments") ? [files] : [])]
}
