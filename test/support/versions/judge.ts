/** Compares the drafts, versions and history of a bot with what was acknowledged to its callers. */

import { saidIn } from "../saying.ts"
import type { Call, CallerRecord, Change } from "./callers.ts"

type Entry = { at: string; kind: Change["kind"]; version?: number; note?: string }
type Draft = Extract<Change, { updatedAt: string }>

/** Returns a sentence for everything that is wrong. */
export async function judgeVersions(
  call: Call,
  botId: string,
  records: readonly CallerRecord[],
): Promise<string[]> {
  const path = `/bots/${botId}`
  const history = (await pages<Entry>(call, `${path}/publications`, "publications")).toReversed()
  const versions = await pages<Listed>(call, `${path}/versions`, "versions")
  const kept = new Map<string | undefined, number>()
  for (const { number } of versions) {
    const { body } = await call("GET", `${path}/versions/${number}`)
    kept.set(saidIn((body.version as { bot: object }).bot), number)
  }
  const { body } = await call("GET", path)
  const draft = saidIn(body.bot as object)
  return [
    ...records.flatMap(({ unexpected }) => unexpected),
    ...lostDrafts(records, { kept, draft }),
    ...wrongHistory(records, history),
    ...wrongOrder(records, history),
    ...wrongLive(history, versions),
  ]
}

type Listed = { number: number; isLive: boolean; isDraft: boolean }

async function pages<Row>(call: Call, path: string, member: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ""
  do {
    const { body } = await call("GET", `${path}?limit=200${cursor && `&cursor=${cursor}`}`)
    rows.push(...(body[member] as Row[]))
    cursor = String(body.nextCursor ?? "")
  } while (cursor !== "")
  return rows
}

/**
 * Drafts in their order: what a restore replaced is a version, what is last is the draft. What a PATCH
 * replaced was replaced on purpose.
 */
function lostDrafts(
  records: readonly CallerRecord[],
  { kept, draft }: { kept: ReadonlyMap<string | undefined, number>; draft: string | undefined },
): string[] {
  const drafts = records
    .flatMap(({ changes }) => changes)
    .filter((change): change is Draft => "updatedAt" in change)
    .toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1))
  return drafts.flatMap(({ text, updatedAt }, index) => {
    const next = drafts[index + 1]
    if (next === undefined) return text === draft ? [] : [`The draft is ${draft}, not ${text}`]
    if (next.updatedAt === updatedAt) return [`Two drafts are from ${updatedAt}`]
    const isLost = next.kind === "restore" && !kept.has(text)
    return isLost ? [`The draft ${text} was lost to the restore of ${next.text}`] : []
  })
}

/** Every acknowledged change is there once, and nothing else; times rise. */
function wrongHistory(records: readonly CallerRecord[], history: readonly Entry[]): string[] {
  const all = records.flatMap(({ changes }) => changes)
  const wanted = all.flatMap((change) =>
    "note" in change ? [`${change.kind} ${change.version} ${change.note}`] : [],
  )
  // The drill itself publishes the bot once, without a note.
  const found = history.flatMap(({ kind, version, note }) =>
    note === undefined ? [] : [`${kind} ${version} ${note}`],
  )
  const offs = all.filter(({ kind }) => kind === "unpublish").length
  const unpublished = history.filter(({ kind }) => kind === "unpublish").length
  return [
    ...missingFrom(found, wanted).map((entry) => `The history lacks ${entry}`),
    ...missingFrom(wanted, found).map(
      (entry) => `The history has ${entry}, which was never acknowledged`,
    ),
    ...(offs === unpublished ? [] : [`${unpublished} entries for ${offs} times unpublished`]),
    ...history.flatMap(({ at }, index) =>
      index > 0 && at <= (history[index - 1]?.at ?? "") ? [`${at} does not come later`] : [],
    ),
  ]
}

function missingFrom(list: readonly string[], wanted: readonly string[]): string[] {
  const rest = [...list]
  return wanted.filter((entry) => {
    const index = rest.indexOf(entry)
    if (index !== -1) rest.splice(index, 1)
    return index === -1
  })
}

/** The changes of each caller are in the order in which it made them. */
function wrongOrder(records: readonly CallerRecord[], history: readonly Entry[]): string[] {
  const places = new Map(history.map(({ note }, index) => [note, index]))
  return records.flatMap(({ changes }) => {
    const notes = changes.flatMap((change) => ("note" in change ? [change.note] : []))
    return notes.slice(1).flatMap((note, index) => {
      const before = notes[index]
      const isWrong = (places.get(note) ?? 0) < (places.get(before) ?? 0)
      return isWrong ? [`${note} comes before ${before}`] : []
    })
  })
}

/** The last entry says what is live, and only what was live is taken off. */
function wrongLive(history: readonly Entry[], versions: readonly Listed[]): string[] {
  const live = versions.filter(({ isLive }) => isLive).map(({ number }) => number)
  const last = history.at(-1)
  const expected = last?.version === undefined ? [] : [last.version]
  const offTwice = history.filter(
    ({ kind }, index) => kind === "unpublish" && history[index - 1]?.kind === "unpublish",
  )
  const drafts = new Set(versions.filter(({ isDraft }) => isDraft).map(({ number }) => number))
  return [
    ...(String(live) === String(expected) ? [] : [`Live is ${live}, the history says ${expected}`]),
    ...offTwice.map(({ at }) => `At ${at} nothing was live to be unpublished`),
    ...history.flatMap(({ version }) =>
      version !== undefined && drafts.has(version) ? [`Version ${version} was live, no draft`] : [],
    ),
  ]
}
