/** Finds the conditions in the source of an SQL function, and what the function does without each. */

/** A fault: the whole source with one condition taken out. */
export type SqlFault = { line: number; what: string; source: string }

type Token = { text: string; from: number; to: number; depth: number }
type Part = { tokens: Token[]; joint: "and" | "or" | "alone" }

const words =
  /--[^\n]*|\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|\d[\w.]*|::|<>|[<>]=|->>|->|.|\n/gs

/** Where a condition ends that a word has begun. */
const ends: Record<string, ReadonlySet<string>> = {
  if: new Set(["then"]),
  elsif: new Set(["then"]),
  when: new Set(["then", ";"]),
  where: new Set([
    ...["order", "group", "window", "for", "returning", "offset", "limit", "union", ";"],
  ]),
}

/** Each condition of a function, once always true and once always false; and each lock and conflict clause. */
export function sqlFaultsIn(source: string): SqlFault[] {
  const tokens = tokensOf(source)
  const replaced = tokens.flatMap((token, index) => {
    const stops = ends[token.text]
    return stops && !closes(tokens, index) ? conditionFrom(tokens, index, stops) : []
  })
  const faults = replaced.flatMap(({ tokens: part, joint }) =>
    // "and true" takes a condition out, and so does "or false"; one that is alone is tried both ways.
    (joint === "and" ? ["true"] : joint === "or" ? ["false"] : ["true", "false"]).map((value) =>
      replacing(source, part, value),
    ),
  )
  return [...faults, ...clausesOf(source)]
}

/** Whether the word belongs to `end if` or `end case`. */
function closes(tokens: Token[], index: number): boolean {
  return tokens[index - 1]?.text === "end"
}

function tokensOf(source: string): Token[] {
  let depth = 0
  let cases = 0
  return [...source.matchAll(words)].flatMap(({ 0: text, index }): Token[] => {
    if (/^(\s|--)/.test(text)) return []
    if (text === ")") depth -= 1
    if (text === "case") cases += 1
    // A case is a place of its own, as what parentheses hold is.
    const token = { text, from: index, to: index + text.length, depth: depth + cases }
    if (text === "(") depth += 1
    if (text === "end" && cases > 0) cases -= 1
    return [token]
  })
}

/** The smallest conditions from the word on, through `and`, `or` and parentheses. */
function conditionFrom(tokens: Token[], index: number, stops: ReadonlySet<string>): Part[] {
  const depth = tokens[index]?.depth ?? 0
  const rest = tokens.slice(index + 1)
  const end = rest.findIndex(
    (token) => token.depth < depth || (token.depth === depth && stops.has(token.text)),
  )
  return splitCondition(rest.slice(0, end), "alone")
}

function splitCondition(tokens: Token[], joint: Part["joint"]): Part[] {
  for (const word of ["or", "and"] as const) {
    const parts = splitAt(tokens, word)
    if (parts.length > 1) return parts.flatMap((part) => splitCondition(part, word))
  }
  const [first, ...others] = tokens
  const isInParentheses = first?.text === "(" && others.at(-1)?.text === ")"
  return isInParentheses ? splitCondition(others.slice(0, -1), joint) : [{ tokens, joint }]
}

function splitAt(tokens: Token[], word: string): Token[][] {
  const depth = tokens[0]?.depth ?? 0
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.text === word && token.depth === depth) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function replacing(source: string, part: Token[], value: string): SqlFault {
  const from = part[0]?.from ?? 0
  const to = part.at(-1)?.to ?? from
  return faultAt(source, { from, to, text: value })
}

function faultAt(source: string, change: { from: number; to: number; text: string }): SqlFault {
  const { from, to, text } = change
  const was = source.slice(from, to).replace(/\s+/g, " ").trim()
  return {
    line: source.slice(0, from).split("\n").length,
    what: text === "" ? `without "${was}"` : `"${was}" is ${text}`,
    source: source.slice(0, from) + text + source.slice(to),
  }
}

/** Locks, and what happens on a conflict: each taken out. */
function clausesOf(source: string): SqlFault[] {
  const clauses = /\sfor (?:no key )?update(?=;)|\son conflict \([^)]*\) do nothing/g
  return [...source.matchAll(clauses)].map(({ 0: found, index }) =>
    faultAt(source, { from: index, to: index + found.length, text: "" }),
  )
}

/** The tests that belong to each SQL function. */
export const testsOfFunctions: Record<string, string[]> = {
  open_keyed_preview: ["test/db/previewFunctions.test.ts"],
  open_preview_session: ["test/db/previewFunctions.test.ts"],
  restore_preview_state: ["test/db/previewFunctions.test.ts"],
  save_answered_preview: ["test/db/previewFunctions.test.ts"],
  save_keyed_preview: ["test/db/previewFunctions.test.ts"],
  save_preview_flow: ["test/db/previewFlows.test.ts"],
  save_turn: ["test/db/saveTurn.test.ts", "test/db/turnRows.test.ts"],
}

/** Faults that change nothing: the conditions only spare looking for rows that are not there. */
export const harmless: Record<string, string[]> = {
  save_preview_flow: ['"v_gone is not null" is true'],
  save_turn: [
    "v_rows ? 'answers'",
    "v_rows ? 'logs'",
    "p_turn ? 'conversation'",
    "p_turn ? 'events'",
  ].map((condition) => `"${condition}" is true`),
}
