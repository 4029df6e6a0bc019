/** Writes types in TypeScript for any names and texts of authors. */
import { cut } from "../../lib/cut.ts"

export type Member = {
  name: string
  type: string
  isOptional?: boolean
  /** Lines of its comment. */
  notes?: readonly string[]
}

/** The type of an object without members, which `{}` is not. */
export const emptyObject = "{ [name: string]: never }"

/** The type of an object with these members, each on lines of its own. */
export function objectType(members: readonly Member[]): string {
  if (members.length === 0) return emptyObject
  const lines = members.map(({ name, type, isOptional, notes = [] }) => {
    return `${comment(notes)}${nameOf(name)}${isOptional ? "?" : ""}: ${type}`
  })
  return `{\n${lines.join("\n").replace(/^(?=.)/gm, "  ")}\n}`
}

export function unionType(types: Iterable<string>): string {
  return [...new Set(types)].join(" | ")
}

export function listType(element: string): string {
  return /^\w+$/.test(element) ? `${element}[]` : `(${element})[]`
}

/** The literal of a text, in one line and without invisible characters. */
export function literal(text: string): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`
  return JSON.stringify(text).replace(unseen, escaped)
}

/** A comment for editors; without notes there is none. */
export function comment(notes: readonly string[]): string {
  // A comment ends at the first `*/`, and tags of documentation begin at a sign.
  const lines = notes.map((line) => line.replaceAll("*/", "*\\/").replaceAll("@", "\\@"))
  if (lines.length === 0) return ""
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`
}

/** A text of an author in a note: short, in one line. */
export function mentioned(text: string): string {
  const line = text.slice(0, maxRead).replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ")
  return `"${cut(line.trim())}"`
}

/** Control characters, ends of lines, and direction marks; JSON escapes most of the first. */
const unseen = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g

/** Well above the length of a note. */
const maxRead = 1_000

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}
