/** Fills in the variables of a header: visitor input stays one part of its value. */
import { interpolateWith, type Scope, templateOf } from "./interpolate.ts"
import { isVisitorInput } from "./interpolateUrl.ts"

/** The value of a header, or the problem with it. */
type FilledHeader = { value: string } | { problem: string }

/**
 * The value of a header with its tokens replaced. Visitor input is escaped by its place: within quotation
 * marks by backslashes, in a cookie and in an extended parameter (`filename*=UTF-8''…`) by percent-encoding.
 * Beside separators of the author it cannot be escaped and must contain none; the name of a user (`Basic
 * {{User}}:{{Password}}`) must not contain a colon. A value that is one token, and results of the author's
 * own code, stay unchanged.
 */
export function interpolateHeader(name: string, text: string, scope: Scope): FilledHeader {
  const parts = templateOf(text)
  const kind = kindOf(name, text)
  const literals = parts.filter((part) => typeof part === "string")
  const isParted = literals.some((literal) => /[,;=]/.test(literal))
  const hasUser = kind === "login" && literals.some((literal) => literal.includes(":"))
  let place = beginning
  let problem: string | undefined
  const fitted = (said: string): string => {
    if (lineEnd.test(said)) problem ??= "The value of a variable has several lines"
    if (parts.length === 1) return said
    if (kind === "login") {
      if (hasUser && !place.isPastColon && said.includes(":")) {
        problem ??= "The value is the name of a user and contains a colon"
      }
      return said
    }
    if (kind === "cookie") return inCookie(said, place.isPastEquals)
    if (place.isQuoted) return said.replaceAll(/["\\]/g, "\\$&")
    if (extended.test(place.tail)) return percentEncoded(said)
    if (isParted && /[,;"]/.test(said)) {
      problem ??= "The value contains a comma, a semicolon or a quotation mark"
    }
    return said
  }
  const value = interpolateWith(text, scope, {
    literal(written) {
      place = placeAfter(place, written)
    },
    value(printed, token) {
      // Visitor input never changes the place.
      if (isVisitorInput(token, scope)) return fitted(printed.replaceAll(/^[\r\n]+|[\r\n]+$/g, ""))
      place = placeAfter(place, printed)
      return printed
    },
  })
  if (lineEnd.test(value.trim())) problem ??= "The value has several lines"
  if (/[^\0-\xff]/.test(value)) problem ??= "The value has characters beyond ISO 8859-1"
  return problem === undefined ? { value } : { problem }
}

/** Characters that end a header (Fetch standard, "header value"). */
const lineEnd = /[\r\n\0]/

/** `login`: a name and a password, encoded together. */
function kindOf(name: string, text: string): "cookie" | "login" | undefined {
  const header = name.trim().toLowerCase()
  if (header === "cookie") return "cookie"
  const isAuthorization = header === "authorization" || header === "proxy-authorization"
  return isAuthorization && text.startsWith("Basic ") ? "login" : undefined
}

/** The place in a header after a text. */
type Place = {
  isQuoted: boolean
  /** Whether a backslash escapes the next character. */
  isEscaped: boolean
  isPastColon: boolean
  /** Whether a name and its `=` follow the last `;`. */
  isPastEquals: boolean
  /** The last characters. */
  tail: string
}

const beginning: Place = {
  isQuoted: false,
  isEscaped: false,
  isPastColon: false,
  isPastEquals: false,
  tail: "",
}

function placeAfter(before: Place, text: string): Place {
  const place = { ...before, tail: (before.tail + text.slice(-tailLength)).slice(-tailLength) }
  for (const character of text) {
    if (place.isEscaped) place.isEscaped = false
    else if (character === "\\") place.isEscaped = place.isQuoted
    else if (character === '"') place.isQuoted = !place.isQuoted
    if (character === ":") place.isPastColon = true
    if (character === "=") place.isPastEquals = true
    if (character === ";") place.isPastEquals = false
  }
  return place
}

/** The beginning of an extended parameter (RFC 8187): a character set and a language. */
const extended = /\*=[\w-]+'[\w-]*'$/
const tailLength = 50

/** Percent-encodes characters that cookies do not allow (RFC 6265). */
function inCookie(input: string, isValue: boolean): string {
  const others = isValue ? /[^!#-+\--:<-[\]-~]/gu : /[^!#$&'*+.^`|~\w-]/gu
  return input.toWellFormed().replaceAll(others, encodeURIComponent)
}

function percentEncoded(input: string): string {
  const hex = (each: string) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(input.toWellFormed()).replaceAll(/['()*]/g, hex)
}
