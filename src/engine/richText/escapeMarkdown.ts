/** Escapes texts and addresses of values so that Markdown shows them literally. */

/** The context in which a text begins. */
type TextStart = {
  /** Only a possible start of a quote, a list or a heading precedes it in its line. */
  isOpening: boolean
  /** A number that may begin a list item precedes it in its line. */
  isNumbered: boolean
  /** The last character before it, empty at the start of a line. */
  before: string
}

const inlineSyntax = /(?:https?:\/\/|www\.)[^\s<]*|[\\`*_[\]~|<&#\r]|(?<=\])\(|(?:ftp|xmpp):/gi
const unlinkedSyntax = /https?:|www\.|[\\`*_[\]~|<&#\r]|(?<=\])\(|(?:ftp|xmpp):/gi
const plainUrl = /^[\p{L}\p{N}_.:/?#@$&+,;=%!'()-]*$/u
const looseUnderscore = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u
const urlStart = /(https?):(?=\/\/)|(www)\./gi
// Only spaces that cannot themselves start a line: the search stays linear.
const lineSyntax =
  /^(?=[ \t\f\v\u00A0\-+=>:\d])([ \t\f\v\u00A0]*)(?:([-+](?![\p{L}\p{N}])|=(?=[=\s]|$)|>|:(?=-))|(\d{1,9})(?=[.)](?:\s|$)))?/gmu
const entity = /&#?\w+;/y
const asciiPunctuation = /[!-/:-@[-`{-~]/
const word = /[\p{L}\p{N}]/u

/**
 * The text with a backslash or a character reference wherever Markdown with HTML and the extensions of GitHub
 * would see syntax, and nowhere else. Bare web and mail addresses stay readable. Clients may link them, as
 * messengers do: such a link leads only to the address it shows. Web addresses with signs of Markdown become
 * no links, since some clients would include the signs.
 */
export function escapeText(text: string, start: TextStart): string {
  const escaped = text.replace(inlineSyntax, (sign, at: number) => escapeSign(text, sign, at))
  const lines = escaped.replace(
    lineSyntax,
    (all, space: string, sign: string | undefined, digits: string | undefined, at: number) => {
      if (at === 0 && !start.isOpening) return all
      const indent = isSeen(space, at === 0 ? start.before : "")
        ? `&#${space.charCodeAt(0)};${space.slice(1)}`
        : space
      // V8 of Node 20 gives "" for groups without a match in some texts, instead of undefined.
      if (sign) return `${indent}\\${sign}`
      return digits ? `${indent}${digits}\\` : indent
    },
  )
  return needsEscape(text, start) ? `\\${lines}` : lines
}

/** An escaped text, without links to its web addresses. */
export function unlink(escaped: string): string {
  return escaped.replace(urlStart, (_, scheme?: string) => (scheme ? `${scheme}\\:` : "www\\."))
}

function escapeUrl(url: string, isCutShort: boolean): string {
  const isPlain = plainUrl.test(url) && !looseUnderscore.test(url)
  if (isPlain && !isCutShort && !/&#?\w+;|(?:ftp|xmpp):/i.test(url)) return url
  return url.replace(unlinkedSyntax, (sign, at: number) => escapeSign(url, sign, at))
}

function escapeSign(text: string, sign: string, at: number): string {
  if (sign.length > 1 && /^(?:https?:\/|www\..)/i.test(sign)) {
    return escapeUrl(sign, text[at + sign.length] === "<")
  }
  const before = text[at - 1] ?? ""
  const after = text[at + 1] ?? ""
  switch (sign) {
    case "\\":
      return after === "" || after === "\n" || asciiPunctuation.test(after) ? "\\\\" : sign
    case "_":
      return word.test(before) && word.test(after) ? sign : "\\_"
    case "*":
      return before === " " && /\S/.test(text[at - 2] ?? " ") && after === " " ? sign : "\\*"
    case "<":
      return after === "" || /[A-Za-z/!?]/.test(after) ? "&lt;" : sign
    case "&":
      entity.lastIndex = at
      return entity.test(text) ? "&amp;" : sign
    case "#":
      return /^[\s#]?$/.test(before) && /^[\s#]?$/.test(after) ? "\\#" : sign
    case "\r":
      return after === "\n" ? "" : "&#13;"
    default:
      return `${sign.slice(0, -1)}\\${sign.slice(-1)}`
  }
}

/** Whether the space turns the line into code, or the preceding sign into a list or heading. */
function isSeen(space: string, before: string): boolean {
  return space.length > 3 || space.includes("\t") || (space !== "" && before !== "")
}

/** Whether the text would complete the number of a list, or a link whose text precedes it. */
function needsEscape(text: string, { isNumbered, before }: TextStart): boolean {
  if (before === "]") return text.startsWith("(") || text.startsWith(":")
  return isNumbered && endsNumber(text)
}

/** Whether the text turns the preceding number into a list item. */
export function endsNumber(text: string): boolean {
  return /^[.)](?:\s|$)/.test(text)
}

const scheme = /^([a-z][a-z0-9+.-]*):/i
const knownSchemes = new Set(["http", "https", "mailto", "tel"])
// A lone surrogate cannot be encoded.
const unsafeInAddress =
  /[^#$%&+,\-./:;=?@\p{L}\p{N}\p{M}\p{Cs}]|&(?=#?\w+;)|(?<=[\s\S](?:ftp|xmpp)):/giu

/** Whether an address leads to the web, to a mailbox or a telephone, or is relative. */
export function isHarmlessAddress(url: string): boolean {
  const visible = url.slice(0, 1_000).replace(/[\s\p{Cc}]/gu, "")
  const name = scheme.exec(visible)?.[1]
  return name === undefined ? !visible.startsWith(":") : knownSchemes.has(name.toLowerCase())
}

/** Encodes characters that could end the address or be read as Markdown or HTML. */
export function escapeAddress(url: string): string {
  return url.replace(unsafeInAddress, (sign, at: number) => {
    if (sign === "&") return "&amp;"
    if (sign === ":") return "%3A"
    if (sign === "_" && word.test(url[at - 1] ?? "") && word.test(url[at + 1] ?? "")) return sign
    return percentEncoded(sign)
  })
}

/**
 * A value within an address that the author began with `written`. It cannot choose a scheme of its
 * own: the colon of any other becomes part of a relative address.
 */
export function escapeAddressPart(value: string, written: string): string {
  const mayHaveColon = written.trim() === "" ? isHarmlessAddress(value) : /[:/?#]/.test(written)
  const escaped = escapeAddress(value)
  return mayHaveColon ? escaped.replace(/(ftp|xmpp):/gi, "$1%3A") : escaped.replaceAll(":", "%3A")
}

function percentEncoded(sign: string): string {
  const code = sign.charCodeAt(0)
  // encodeURIComponent does not encode some signs of Markdown.
  if (code > 0x7f) return encodeURIComponent(sign)
  return `%${code < 16 ? "0" : ""}${code.toString(16).toUpperCase()}`
}

const tagStart = /<(?=[A-Za-z/!?]|$)/g
const attribute = /\s+[\w:.@-]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?/.source
const wholeTag = new RegExp(`</?([A-Za-z][\\w-]*)(?:${attribute})*\\s*/?>`, "y")
const autolink = /<(?:[A-Za-z][\w+.-]*:|[^\s<>@:]+@)[^\s<>]*>/y

// Their content has no escapes for values.
const rawElements =
  /^(?:iframe|noembed|noframes|noscript|plaintext|script|style|textarea|title|xmp)$/i

/**
 * Escapes every tag that is not complete. A value may follow among its attributes, where escaping is
 * impossible, so the tag is shown as text, as in rich text.
 */
export function escapeOpenTags(text: string): string {
  return text.replace(tagStart, (sign, at: number) => (isWhole(text, at) ? sign : "&lt;"))
}

function isWhole(text: string, at: number): boolean {
  autolink.lastIndex = at
  if (autolink.test(text)) return true
  wholeTag.lastIndex = at
  const name = wholeTag.exec(text)?.[1]
  return name !== undefined && !rawElements.test(name)
}
