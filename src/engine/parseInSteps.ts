/** Reads JSON texts of any length in steps: they are cut into pieces for JSON.parse to read. */
import type { Steps } from "./steps.ts"

/** How a text is read. */
export type ReadingLimits = {
  /** Most levels of lists and objects, one within the other; 1,000 unless told. */
  maxDepth?: number
  /** Characters of a piece; elements are kept whole up to as many more, and texts up to four times. */
  pieceLength?: number
}

/** A list or an object that is put together from pieces. */
type Container = {
  /** An object gets members, everything else elements. */
  value: unknown[] | Members
  /** Where it goes in the container around it; absent: it is an element. */
  key?: string | undefined
  /** Whether there was nothing in it yet. */
  isFresh: boolean
}

type Members = Record<string, unknown>

type Reader = {
  text: string
  maxDepth: number
  pieceLength: number
  at: number
  /** The containers that are open, the outermost first: it stands for the text itself. */
  containers: Container[]
  /** Where that begins which is not read yet. */
  from: number
  /** Where the present element or member of the innermost container begins. */
  begin: number
  /** Whether that is read already, so that only blanks may follow. */
  isRead: boolean
  /** Where brackets within the present element were opened, and where its present elements begin. */
  opened: number[]
  begins: number[]
  nextQuote: number
  nextBackslash: number
}

/**
 * As `JSON.parse(text)`, in steps of some ten thousand characters. Throws a SyntaxError for what
 * JSON.parse refuses, and a RangeError for what is nested too deep.
 */
export function* parseInSteps(
  text: string,
  { maxDepth = 1_000, pieceLength = 16_384 }: ReadingLimits = {},
): Steps<unknown> {
  const whole: Container = { value: [], isFresh: true }
  const containers = [whole]
  const limits = { maxDepth, pieceLength }
  const reader: Reader = { text, ...limits, ...start, containers, opened: [], begins: [] }
  while (reader.at < text.length) {
    const pauseAt = Math.min(reader.at + pieceLength, text.length)
    while (reader.at < pauseAt) {
      passPlain(reader, pauseAt)
      if (reader.at === pauseAt) break
      if (text.charCodeAt(reader.at) !== quote) passOne(reader)
      else if (!passShortString(reader)) yield* passString(reader)
      while (reader.at - reader.begin > pieceLength && reader.opened.length > 0) descend(reader)
    }
    yield
  }
  if (containers.length > 1 || reader.opened.length > 0) throw refusal(text.length)
  readTo(reader, text.length)
  const [value, ...others] = whole.value as unknown[]
  if (whole.isFresh || others.length > 0) throw refusal(text.length)
  return value
}

const start = { at: 0, from: 0, begin: 0, isRead: false, nextQuote: -1, nextBackslash: -1 }

const [quote, comma] = [0x22, 0x2c]
const [openList, closeList, openObject, closeObject, smallU] = [0x5b, 0x5d, 0x7b, 0x7d, 0x75]

/** Moves to the next character that matters, or as far as it may go. */
function passPlain(reader: Reader, end: number): void {
  const { text } = reader
  let { at } = reader
  while (at < end) {
    const code = text.charCodeAt(at)
    // With this bit square brackets are curly ones.
    const bracket = code | 0x20
    if (code === quote || code === comma || bracket === openObject || bracket === closeObject) break
    at++
  }
  reader.at = at
}

function passOne(reader: Reader): void {
  const { text, at, opened, begins, containers, maxDepth } = reader
  const code = text.charCodeAt(at)
  reader.at = at + 1
  if (code === openList || code === openObject) {
    if (containers.length + opened.length > maxDepth)
      throw new RangeError("JSON is nested too deep")
    opened.push(at)
    begins.push(at + 1)
  } else if (code === closeList || code === closeObject) {
    if (opened.pop() === undefined) close(reader, code === closeList)
    else begins.pop()
  } else if (code === comma) {
    if (opened.length > 0) begins[begins.length - 1] = at + 1
    else passComma(reader)
  }
}

/** Reads what came before a comma of the innermost container when it is long enough. */
function passComma(reader: Reader): void {
  const at = reader.at - 1
  if (reader.isRead || at - reader.from >= reader.pieceLength) {
    readTo(reader, at)
    reader.from = reader.at
  }
  reader.begin = reader.at
}

/** The innermost container ends. */
function close(reader: Reader, isList: boolean): void {
  const { containers, at } = reader
  const container = innermost(reader)
  if (containers.length === 1 || Array.isArray(container.value) !== isList) throw refusal(at - 1)
  if (container.isFresh && isBlank(reader.text.slice(reader.from, at - 1))) reader.isRead = true
  readTo(reader, at - 1)
  containers.pop()
  goOnAfter(reader, container.key, container.value)
}

/** Puts a value into the innermost container, which goes on behind it. */
function goOnAfter(reader: Reader, key: string | undefined, value: unknown): void {
  const container = innermost(reader)
  put(container, key, value)
  container.isFresh = false
  reader.from = reader.at
  reader.begin = reader.at
  reader.isRead = true
}

/** The present element is too long for a piece: its own elements are read one by one. */
function descend(reader: Reader): void {
  const { text, opened, begins, containers } = reader
  const at = opened.shift() ?? 0
  const key = readBefore(reader, at)
  const value = text.charCodeAt(at) === openList ? [] : {}
  containers.push({ value, key, isFresh: true })
  reader.from = at + 1
  reader.begin = begins.shift() ?? 0
}

/** Reads the elements before the present one, and returns its key; undefined in a list. */
function readBefore(reader: Reader, at: number): string | undefined {
  const { text, from, begin, isRead } = reader
  if (isRead) throw refusal(at)
  if (begin > from) readTo(reader, begin - 1)
  const before = text.slice(begin, at)
  if (!Array.isArray(innermost(reader).value)) return keyIn(before, begin)
  if (!isBlank(before)) throw refusal(begin)
  return undefined
}

/** The one key in a text that ends with its colon. */
function keyIn(text: string, from: number): string | undefined {
  const [key, ...others] = Object.keys(parse(`{${text}[]}`, from) as object)
  if (others.length > 0) throw refusal(from)
  return key
}

/** Reads what is left until there into the innermost container. */
function readTo(reader: Reader, to: number): void {
  const { text, from, isRead } = reader
  const container = innermost(reader)
  const run = text.slice(from, to)
  reader.isRead = false
  if (isRead) {
    if (!isBlank(run)) throw refusal(from)
    return
  }
  if (Array.isArray(container.value)) {
    const elements = parse(`[${run}]`, from) as unknown[]
    if (elements.length === 0) throw refusal(from)
    for (const element of elements) container.value.push(element)
  } else {
    const members = parse(`{${run}}`, from) as Members
    const keys = Object.keys(members)
    if (keys.length === 0) throw refusal(from)
    if (container.isFresh) container.value = members
    else for (const key of keys) put(container, key, members[key])
  }
  container.isFresh = false
}

/** Passes a text if it is short and holds no escapes, as most are. */
function passShortString(reader: Reader): boolean {
  const { at, pieceLength } = reader
  lookAhead(reader, at + 1)
  const { nextQuote, nextBackslash } = reader
  if (nextBackslash < nextQuote || nextQuote - at > pieceLength) return false
  reader.at = nextQuote + 1
  return true
}

/** Passes a text; a long one is read. */
function* passString(reader: Reader): Steps<void> {
  const { at } = reader
  const cuts = yield* findEnd(reader)
  if (cuts.length === 0) return
  while (reader.opened.length > 0) descend(reader)
  const { text, begin } = reader
  // Keys cannot be cut.
  const isKey = !Array.isArray(innermost(reader).value) && isBlank(text.slice(begin, at))
  if (isKey) return
  const key = readBefore(reader, at)
  let value = ""
  let from = at + 1
  for (const to of [...cuts, reader.at - 1]) {
    value += parse(`"${text.slice(from, to)}"`, from)
    from = to
    yield
  }
  goOnAfter(reader, key, value)
}

/** Moves behind the text that begins here. Returns where it can be cut, that is between escapes. */
function* findEnd(reader: Reader): Steps<number[]> {
  const { text, pieceLength } = reader
  const stretchLength = 4 * pieceLength
  const cuts: number[] = []
  let at = reader.at + 1
  let cut = at
  for (let escapes = 1; ; escapes++) {
    lookAhead(reader, at)
    const { nextQuote, nextBackslash } = reader
    const end = Math.min(nextQuote, nextBackslash)
    if (end === Number.POSITIVE_INFINITY) throw refusal(text.length)
    while (end - cut > stretchLength) {
      cut = Math.max(at, cut + stretchLength)
      cuts.push(cut)
    }
    if (end === nextQuote) break
    at = end + (text.charCodeAt(end + 1) === smallU ? 6 : 2)
    if (escapes % pieceLength === 0) yield
  }
  reader.at = reader.nextQuote + 1
  return cuts
}

function lookAhead(reader: Reader, at: number): void {
  if (reader.nextQuote < at) reader.nextQuote = find(reader.text, '"', at)
  if (reader.nextBackslash < at) reader.nextBackslash = find(reader.text, "\\", at)
}

function find(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

function put({ value }: Container, key: string | undefined, member: unknown): void {
  if (Array.isArray(value)) value.push(member)
  // Setting it would change the prototype; JSON.parse makes it a member like any other.
  else if (key === "__proto__") Object.defineProperty(value, key, { ...ordinary, value: member })
  else if (key !== undefined) value[key] = member
}

const ordinary = { writable: true, enumerable: true, configurable: true }

function innermost({ containers }: Reader): Container {
  return containers[containers.length - 1] as Container
}

function isBlank(text: string): boolean {
  return /^[\t\n\r ]*$/.test(text)
}

function parse(text: string, from: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refusal(from, cause)
  }
}

function refusal(at: number, cause?: unknown): SyntaxError {
  return new SyntaxError(`Not JSON, after position ${at}`, { cause })
}
