/** Reads the parts of results beside their rows: answers, names of inputs. */
import { findLinkedVersion } from "../db/chats/runnable.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import {
  answersByResult,
  measureResults,
  type ResultSize,
  type StoredAnswer,
} from "../db/results/contents.ts"
import type { StoredResult } from "../db/results/listing.ts"
import type { Snapshot, Snapshots } from "../effects/snapshots.ts"
import { linkedBotIds } from "../engine/bot.ts"
import { type AnswerName, inputName } from "../engine/recorded/inputs.ts"
import type { KeptVariable } from "../engine/records.ts"
import type { Variable } from "../engine/schema/variable.ts"
import { cut } from "../lib/cut.ts"
import { fitting, maxBytes } from "../lib/responseSize.ts"

export type Presented = ReturnType<typeof presentResult>

type Reader = { db: Db; chat: { snapshots: Snapshots } }

/**
 * Presents results as responses have them, in the order given: of a large one, as many answers as fit.
 * `measured`: their sizes, if known.
 */
export async function readResults(
  ctx: Reader,
  rows: readonly StoredResult[],
  measured?: ReadonlyMap<string, ResultSize>,
): Promise<Presented[]> {
  const resultIds = rows.map(({ resultId }) => resultId)
  const sizes = measured ?? (await measureResults(ctx.db, resultIds))
  const results = await readWholeResults(ctx, rows, sizes)
  return results.map((result) => {
    const { bytes = 0 } = sizes.get(result.id) ?? {}
    return bytes > maxBytes / maxEscaped ? trimmed(result) : result
  })
}

/** Presents results with all the answers that were read, however many bytes they take as JSON. */
export async function readWholeResults(
  ctx: Reader,
  rows: readonly StoredResult[],
  sizes: ReadonlyMap<string, ResultSize>,
): Promise<Presented[]> {
  const answers = await answersByResult(ctx.db, sizes)
  const names = await namesOf(ctx, rows, answers)
  return rows.map((row) =>
    presentResult(row, {
      answers: answers.get(row.resultId) ?? [],
      nameOf: (blockId) => names.get(row.versionId)?.get(blockId),
      lastAnswerAt: sizes.get(row.resultId)?.lastAnswerAt,
    }),
  )
}

/** Worst-case JSON escape: 6×. */
const maxEscaped = 6

/** Whether one answer of the API holds all of these results, however their texts are written. */
export function fitTogether(sizes: ReadonlyMap<string, ResultSize>): boolean {
  let bytes = 0
  for (const size of sizes.values()) bytes += bytesOfRow + size.bytes
  return bytes <= maxBytes / maxEscaped
}

/** About what a result takes besides its variables and answers. */
const bytesOfRow = 500

/** As many answers of a large result as one answer of the API holds. */
function trimmed(result: Presented): Presented {
  const room = maxBytes - Buffer.byteLength(JSON.stringify(result.variables))
  return { ...result, answers: fitting(result.answers, room) }
}

type Names = Map<string, AnswerName>

/** The names of answered inputs, by version and block; blocks that are gone have none. */
async function namesOf(
  ctx: Reader,
  rows: readonly StoredResult[],
  answers: ReadonlyMap<string, readonly StoredAnswer[]>,
): Promise<Map<string, Names>> {
  const asked = new Map<string, Set<string>>()
  for (const { resultId, versionId } of rows) {
    const blockIds = asked.get(versionId) ?? new Set()
    for (const { blockId } of answers.get(resultId) ?? []) blockIds.add(blockId)
    asked.set(versionId, blockIds)
  }
  const names = new Map<string, Names>()
  for (const [versionId, blockIds] of asked) {
    names.set(versionId, await namesIn(ctx, versionId, blockIds))
  }
  return names
}

/** Max bots searched for names: a linked bot may link others. */
const maxBots = 20

/** Names of inputs of a version, and of the bots that it links, as they are published now. */
async function namesIn(ctx: Reader, versionId: string, blockIds: ReadonlySet<string>) {
  const names: Names = new Map()
  const unnamed = new Set(blockIds)
  const waiting = [versionId]
  const seen = new Set<string>()
  while (unnamed.size > 0 && seen.size < maxBots) {
    const next = waiting.shift()
    if (next === undefined) break
    if (seen.has(next)) continue
    seen.add(next)
    const snapshot = await ctx.chat.snapshots.load(next)
    if (!snapshot) continue
    for (const blockId of unnamed) {
      const name = inputName(snapshot.bot, blockId)
      if (!name) continue
      names.set(blockId, name)
      unnamed.delete(blockId)
    }
    if (unnamed.size > 0) waiting.push(...(await linkedVersions(ctx, snapshot)))
  }
  return names
}

async function linkedVersions({ db }: Reader, { bot, workspaceId }: Snapshot): Promise<string[]> {
  const versions: string[] = []
  for (const botId of linkedBotIds(bot.flow.groups, bot.id).slice(0, maxBots)) {
    const version = await findLinkedVersion(db, { botId, workspaceId })
    if (version !== undefined) versions.push(version)
  }
  return versions
}

type PartsOfResult = {
  /** In the order in which they were given. */
  answers: readonly StoredAnswer[]
  /** Undefined for an input that is gone. */
  nameOf(blockId: string): AnswerName | undefined
  lastAnswerAt: Date | null | undefined
}

function presentResult(row: StoredResult, { answers, nameOf, lastAnswerAt }: PartsOfResult) {
  const { resultId: id, versionId: _, versionNumber, ...others } = row
  const { isArchived } = row
  return {
    ...others,
    id,
    createdAt: row.createdAt.toISOString(),
    ...(row.isCompleted && lastAnswerAt && endOf(row, lastAnswerAt)),
    ...(versionNumber !== null && { versionNumber }),
    // Written by turns alone, in this form.
    variables: isArchived ? [] : (row.variables as KeptVariable[]).map(withShortName),
    answers: isArchived
      ? []
      : answers.map((answer) => presentAnswer(answer, nameOf(answer.blockId))),
  }
}

/** As in analytics: time after the last answer does not count. */
function endOf({ createdAt }: StoredResult, endedAt: Date) {
  const durationSeconds = Math.floor((endedAt.getTime() - createdAt.getTime()) / 1_000)
  return { endedAt: endedAt.toISOString(), durationSeconds }
}

/** Results of former versions may hold names of any length. */
function withShortName({ isPlain: _, ...variable }: KeptVariable): Variable {
  return { ...variable, name: cut(variable.name) }
}

function presentAnswer(row: StoredAnswer, name: AnswerName | undefined) {
  const { blockId, content, attachedFileUrls } = row
  const hasFiles = attachedFileUrls !== null && attachedFileUrls.length > 0
  return { blockId, ...name, content, ...(hasFiles && { attachedFileUrls }) }
}
