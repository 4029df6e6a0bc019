/** Edits drafts element by element: merges edits of different elements, and refuses the others. */
import type { BotFacts, BotRow } from "../../db/bots/bots.ts"
import {
  findChange,
  findRedoable,
  findUndoable,
  insertEdit,
  type StoredChange,
  writeEdited,
} from "../../db/bots/edits.ts"
import { findWholeBot, type LockedBot, withLockedBot } from "../../db/bots/withLockedBot.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { EditKind } from "../../db/schema/versionTables.ts"
import { measure, unmetered } from "../../engine/budget/fuel.ts"
import { type Applied, applyEdits } from "../../engine/edit/applyEdits.ts"
import type { Draft } from "../../engine/edit/draft.ts"
import { EditProblem } from "../../engine/edit/editProblem.ts"
import type { Edit } from "../../engine/edit/editSchema.ts"
import type { ResultsTablePreferences } from "../../engine/schema/resultsTablePreferences.ts"
import { AppError, badRequest, notFound, tooLarge } from "../../lib/errors.ts"
import { flowOfDraft } from "../storedFlow.ts"
import { refuseViolations } from "../violations.ts"
import { settled, withAllowedBlocks } from "./allowedEdits.ts"
import type { DraftMemory, DraftSize } from "./draftMemory.ts"
import { changesSince, refuseOverlap, type Since } from "./overlap.ts"
import { restorable } from "./restorable.ts"
import { sizeOf, writtenColumns } from "./writtenColumns.ts"

export type Editing = { db: Db; drafts: DraftMemory }

type EditRequest = {
  authorId: string
  /** The revision that the author has seen; absent: the current one. */
  revision?: number
  /** Chosen by the caller: a request with the id of an earlier one changes nothing. */
  changeId?: string | undefined
}

/** Applies edits to the draft as it is now: all, or none. */
export async function editDraft(
  editing: Editing,
  facts: BotFacts,
  request: EditRequest & { edits: readonly Edit[] },
): Promise<StoredChange> {
  return await changeDraft(editing, facts, {
    ...request,
    plan: async () => ({ kind: "edit", target: null, edits: request.edits }),
  })
}

/** Undoes the author's last edit, or redoes their last undo if they have not edited since: as a new edit. */
export async function takeBack(
  editing: Editing,
  facts: BotFacts,
  { kind, ...request }: EditRequest & { kind: "undo" | "redo" },
): Promise<StoredChange> {
  const author = { botId: facts.id, authorId: request.authorId }
  const plan = async (locked: Db, bot: LockedBot): Promise<Planned> => {
    const find = kind === "undo" ? findUndoable : findRedoable
    const found = await find(locked, author)
    if (found) {
      const edits = await restorable(locked, { ...facts, ...bot }, found.inverses as Edit[])
      return { kind, target: found.revision, edits }
    }
    const words = kind === "undo" ? "You have no edit to undo" : "You have no undo to take back"
    throw new AppError("NOTHING_TO_UNDO", words)
  }
  return await changeDraft(editing, facts, { ...request, plan })
}

/** Edits to make now. */
type Planned = { kind: EditKind; target: number | null; edits: readonly Edit[] }

type PlannedRequest = EditRequest & {
  plan(locked: Db, bot: LockedBot): Promise<Planned>
  /** Whether the plan changes what the workspace has. */
  locksWorkspace?: boolean
}

/** Holds a lock, so that edits are planned on the draft that they change. */
export async function changeDraft(
  { db, drafts }: Editing,
  facts: BotFacts,
  { plan, locksWorkspace = false, ...request }: PlannedRequest,
): Promise<StoredChange> {
  const { authorId, changeId } = request
  const botId = facts.id
  const workspaceId = locksWorkspace ? facts.workspaceId : undefined
  const saved = await withLockedBot(db, { botId, workspaceId }, async (locked, bot) => {
    const repeated = changeId && (await findChange(locked, { botId, changeId }))
    if (repeated) return repeated
    const planned = await plan(locked, bot)
    const { revision = bot.revision } = request
    const since = await changesSince(locked, bot, { authorId, revision, ...planned })
    const { version, publicId, customDomain } = bot
    const now = { ...facts, version, publicId, customDomain }
    const { draft: before, size } = drafts.recall(bot) ?? (await readDraft(locked, bot))
    const sent = await withAllowedBlocks(locked, now, planned.edits)
    const made = await apply(locked, { draft: before, edits: sent, since })
    await refuseOverlap(locked, since, made.elements)
    const edits = settled(made.draft, sent, facts.plan)
    const applied = edits === sent ? made : applyEdits(before, edits)
    const { draft, inverses, elements } = applied
    if (planned.kind === "edit") refuseHuge(inverses)
    const { columns, growth } = await writtenColumns(locked, now, { before, after: draft })
    const known = { draft, size: grown(size, growth) }
    const written = await refuseViolations(writeEdited(locked, botId, columns), columns)
    const { kind, target } = planned
    await insertEdit(locked, {
      botId,
      revision: written.revision,
      kind,
      target,
      authorId,
      changeId,
      createdAt: written.updatedAt,
      edits,
      inverses,
      elements,
    })
    return { ...written, known }
  })
  if (!saved) throw notFound("Bot")
  const { revision, updatedAt } = saved
  if ("known" in saved) drafts.remember(botId, { revision, updatedAt, ...saved.known })
  return { revision, updatedAt }
}

async function readDraft(locked: Db, { id }: LockedBot) {
  const draft = draftOf(await findWholeBot(locked, id))
  return { draft, size: sizeOf(draft) }
}

/** Applies edits to a draft, or throws the obstacle. */
async function apply(
  db: Db,
  { draft, edits, since }: { draft: Draft; edits: readonly Edit[]; since: Since },
): Promise<Applied<Draft>> {
  try {
    return applyEdits(draft, edits)
  } catch (error) {
    if (!(error instanceof EditProblem)) throw error
    await refuseOverlap(db, since, [error.element])
    const { message, index } = error
    throw badRequest(message, [{ message, path: ["edits", index], code: "custom" }])
  }
}

/** The limits of one PATCH. */
const most: DraftSize = { json: 4 * 1024 * 1024, memory: 20 * 1024 * 1024 }

/** Refuses growth beyond the limits. */
function grown(size: DraftSize, growth: DraftSize): DraftSize {
  const now = { json: size.json + growth.json, memory: size.memory + growth.memory }
  if (growth.json > 0 && now.json > most.json)
    throw tooLarge("The draft would be larger than 4 MB", most.json)
  if (growth.memory > 0 && now.memory > most.memory)
    throw tooLarge("The draft would have too many values", most.memory, "bytesInMemory")
  return now
}

/** Max size of one call's inverses; restoring the largest draft takes a quarter of it. */
const maxToUndo = 16 * 1024 * 1024

/** Refuses repeated edits of a large block, whose inverses would each contain all of it. */
function refuseHuge(inverses: readonly Edit[]): void {
  let length = 0
  for (const inverse of inverses) {
    length += measure(inverse, unmetered())
    if (length <= maxToUndo) continue
    const words = "The undo of these edits would exceed 16 MB: make fewer of them at once"
    throw tooLarge(words, maxToUndo, "characters")
  }
}

function draftOf(row: BotRow): Draft {
  const { name, icon, selectedThemeTemplateId, publicId, customDomain, isClosed } = row
  return {
    ...flowOfDraft(row),
    name,
    icon,
    selectedThemeTemplateId,
    publicId,
    customDomain,
    isClosed,
    resultsTablePreferences: row.resultsTablePreferences as ResultsTablePreferences | null,
    whatsAppCredentialsId: row.whatsappCredentialsId,
  }
}
