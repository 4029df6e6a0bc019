/** Erases a person's data: finds their records, part by part, and deletes them. */
import type { Db } from "../db/connection/openDatabase.ts"
import {
  erasePreviews,
  type LeftState,
  listLinked,
  partSize,
  type Sought,
  searchAmong,
  searchKeys,
  searchLeftStates,
  searchPreviews,
  searchSessions,
} from "../db/results/erasure.ts"
import type { ResultOfChat } from "../db/results/resultAddress.ts"
import { emptyResultRows, listUnarchived } from "../db/results/results.ts"
import type { Session } from "../engine/session.ts"
import { textOfMessage } from "../engine/shown.ts"
import { foldCase } from "../lib/foldCase.ts"
import { deleteWithFiles, type ResultFiles } from "./deleteWithFiles.ts"
import { emptyResults } from "./emptyResults.ts"

/** A request to erase a person's data. */
type ErasureRequest = {
  /** The bots that are searched, in order. */
  botIds: readonly string[]
  /** All bots of the workspace, for shared chats. */
  workspaceBotIds: readonly string[]
  value: string | undefined
  /** True: also finds texts that contain the value. */
  isPart: boolean
  key: string | undefined
  /** True: counts only. */
  dryRun: boolean
  /** Absent: the search begins. */
  from: SearchCursor | undefined
}

type Deps = {
  db: Db
  files: ResultFiles
  /** Whether the caller is gone. */
  hasLeft: (() => boolean) | undefined
}

/** The results found per bot, and the cursor; undefined: everything was searched. */
type Erased = { counts: Map<string, number>; next: SearchCursor | undefined }

/** Searches for some seconds, and deletes matches unless they are only counted. */
export async function erase(
  deps: Deps,
  { value, from, dryRun, ...asked }: ErasureRequest,
): Promise<Erased> {
  const erasure: Erasure = {
    ...deps,
    ...asked,
    dryRun,
    words: value === undefined ? [] : wordsOf(value),
    counts: new Map(),
    seen: new Set(),
    erased: [],
    deadline: performance.now() + maxMs,
  }
  if (from === undefined) await eraseKeys(erasure)
  if (from === undefined && !dryRun && value !== undefined) await eraseInPreviews(erasure)
  const next = value === undefined ? undefined : await search(erasure, from ?? start)
  const { db, botIds } = erasure
  // A chat that was being started may have written since.
  if (!dryRun) await emptyResultRows(db, { botIds, resultIds: erasure.erased })
  return { counts: erasure.counts, next }
}

/** A call must be answered before proxies give up. */
const maxMs = 15_000

type Erasure = Deps &
  Omit<ErasureRequest, "value" | "from"> & {
    words: readonly string[]
    counts: Map<string, number>
    /** Results found so far: one may be found by its key and by its running chat. */
    seen: Set<string>
    erased: string[]
    deadline: number
  }

/** The cursor of a search: after a running chat, or after a result of a bot. */
export type SearchCursor =
  | { sessionId: string; resultId: string }
  | { botId: string; afterId?: string | undefined }

const start: SearchCursor = { sessionId: "", resultId: "00000000-0000-0000-0000-000000000000" }

/** Undefined: everything was searched. */
async function search(erasure: Erasure, from: SearchCursor): Promise<SearchCursor | undefined> {
  const { hasLeft, deadline } = erasure
  let place = from
  for (;;) {
    const next =
      "sessionId" in place ? await searchChats(erasure, place) : await searchBot(erasure, place)
    if (!next || performance.now() >= deadline || hasLeft?.()) return next
    place = next
  }
}

async function eraseKeys(erasure: Erasure): Promise<void> {
  const { botIds, key, words, db } = erasure
  const named = await searchKeys(db, { botIds, key, words })
  const resultIds = named.map(({ resultId }) => resultId)
  const keyed = [...named, ...(await listLinked(db, { botIds, resultIds }))]
  for (let start = 0; start < keyed.length; start += partSize) {
    await found(erasure, await unstored(erasure, keyed.slice(start, start + partSize)))
  }
}

/** Previews are not results: they are neither counted nor kept for longer than a day. */
async function eraseInPreviews(erasure: Erasure): Promise<void> {
  const { db, botIds, words } = erasure
  for (let afterId: string | undefined = ""; afterId !== undefined; ) {
    const previews = await searchPreviews(db, { botIds, words, afterId })
    await endHolding(erasure, previews)
    afterId = previews.at(-1)?.id
  }
  let after: Pick<LeftState, "id" | "revision"> | undefined = { id: "", revision: 0 }
  while (after !== undefined) {
    const left: LeftState[] = await searchLeftStates(db, { botIds, words, after })
    await endHolding(erasure, left)
    after = left.at(-1)
  }
}

/** Ends previews whose state contains the value. */
async function endHolding(
  { db, botIds, words, isPart }: Erasure,
  previews: readonly { id: string; state: string | null }[],
): Promise<void> {
  const holding = previews.filter(({ state }) => isHeldIn(state, { words, isPart }))
  if (holding.length > 0) await erasePreviews(db, { botIds, ids: holding.map(({ id }) => id) })
}

/** Searches running chats for what their results do not hold: values that are never stored, or not yet. */
async function searchChats(erasure: Erasure, after: Extract<SearchCursor, { sessionId: string }>) {
  const { botIds, words, db } = erasure
  const sessions = await searchSessions(db, { botIds, words, after })
  const holding = sessions.flatMap(({ sessionId: lastChatSessionId, state, ...result }) =>
    isHeldIn(state, erasure) ? { ...result, lastChatSessionId } : [],
  )
  await found(erasure, await unstored(erasure, holding))
  const last = sessions.at(-1)
  if (last) return { sessionId: last.sessionId, resultId: last.resultId }
  const [botId] = botIds
  return botId === undefined ? undefined : { botId }
}

async function searchBot(
  erasure: Erasure,
  { botId, afterId }: Extract<SearchCursor, { botId: string }>,
): Promise<SearchCursor | undefined> {
  const { botIds, words, isPart, db } = erasure
  // A bot may be deleted between two calls.
  if (botIds.includes(botId)) {
    const part = await listUnarchived(db, { botId, afterId, limit: partSize })
    const resultIds = part.map(({ resultId }) => resultId)
    const searched = { botIds: [botId], resultIds, words, isPart }
    await found(erasure, await searchAmong(db, searched))
    if (part.length === partSize) return { botId, afterId: resultIds.at(-1) }
  }
  const next = botIds.find((id) => id > botId)
  return next === undefined ? undefined : { botId: next }
}

async function found(
  { db, files, botIds, workspaceBotIds, counts, seen, dryRun, erased }: Erasure,
  all: readonly ResultOfChat[],
): Promise<void> {
  const results: ResultOfChat[] = []
  for (const result of all) {
    const { resultId, botId } = result
    // Several chats may go on with one.
    if (seen.has(resultId)) continue
    seen.add(resultId)
    counts.set(botId, (counts.get(botId) ?? 0) + 1)
    results.push(result)
  }
  if (dryRun || results.length === 0) return
  await deleteWithFiles(files, results, () =>
    emptyResults(db, { results, botIds, workspaceBotIds }),
  )
  erased.push(...results.map(({ resultId }) => resultId))
}

/** The spellings that a comparison with `lower` needs: with the locale C, that only knows ASCII letters. */
function wordsOf(value: string): string[] {
  const composed = value.normalize()
  const spellings = [composed, composed.toLowerCase(), composed.toUpperCase()]
  const lowered = spellings.flatMap((spelling) => [
    spelling.toLowerCase(),
    spelling.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  ])
  return [...new Set(lowered)]
}

/** Those of some results that the search through the results of each bot does not find anyway. */
async function unstored({ db, botIds, words, isPart }: Erasure, results: readonly ResultOfChat[]) {
  const resultIds = results.map(({ resultId }) => resultId)
  const stored = await searchAmong(db, { botIds, resultIds, words, isPart })
  const ids = new Set(stored.map(({ resultId }) => resultId))
  return results.filter(({ resultId }) => !ids.has(resultId))
}

/** Whether the state of a chat contains the value. */
function isHeldIn(state: string | null, { words, isPart }: Sought): boolean {
  if (state === null) return false
  if (!isPart) return holds(JSON.parse(state), (text) => words.includes(text))
  return holds(saidIn(JSON.parse(state)), (text) => words.some((word) => text.includes(word)))
}

/** Messages and values of variables; the other parts are ids, which may contain anything. */
function saidIn({ queue, mark, lines = [], conversation }: Session): unknown {
  const own = queue.map(({ values, answers }) => [
    values.map(([, value]) => value),
    answers.map(([, content]) => content),
  ])
  const said = lines.filter(({ from }) => from === "person").map(({ text }) => text)
  return [own, mark?.reply && textOfMessage(mark.reply), said, conversation?.key]
}

/** Whether any text in a value, at any depth, is meant, in lower case. */
function holds(value: unknown, isMeant: (text: string) => boolean): boolean {
  if (typeof value === "string") return isMeant(foldCase(value))
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((member) => holds(member, isMeant))
}
