/** Stores a bot with its own copies of the public files of the bot that it was made from. */
import {
  hasRoomFor,
  insertCopies,
  listFilesOfBot,
  measureAuthorFiles,
} from "../db/bots/authorFiles.ts"
import type { BotRow } from "../db/bots/bots.ts"
import type { FileAmount } from "../db/chats/uploads.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { inTransaction } from "../db/connection/transactions.ts"
import type { WorkspaceRow } from "../db/people/workspaces.ts"
import type { FileCopy } from "../effects/files/adoptFiles.ts"
import { publicFilesPath } from "../effects/files/fileAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { mapBlocks } from "../engine/bot.ts"
import { newId } from "../lib/ids.ts"
import { type Draft, insertDraft } from "./insertDraft.ts"
import { filesFull } from "./storeAuthorFiles.ts"
import type { StoredFile } from "./storeDataUrls.ts"

type Deps = {
  db: Db
  files: Pick<FileStore, "adopt" | "deleteBotFiles">
  /** Room for the files of a workspace. */
  most: FileAmount
}

/** A draft with the files that were stored for it, and the bot whose public files it may have. */
type Copied = { draft: Draft; from: string | undefined; stored?: readonly StoredFile[] }

/**
 * Stores a draft. It gets copies of the files of the other bot that it names, as far as its workspace has
 * room; the others keep their addresses. Throws a 409 when others have taken that room meanwhile.
 */
export async function insertWithFiles(
  { db, files, most }: Deps,
  workspace: WorkspaceRow,
  { draft, from, stored = [] }: Copied,
): Promise<BotRow> {
  const { id: workspaceId } = workspace
  const all = [...stored]
  try {
    let adopted = draft
    if (from !== undefined) {
      const taken = all.reduce((sum, { bytes }) => sum + bytes, 0)
      const left = (await roomOf({ db, most }, workspaceId)) - taken
      const found = await adoptFiles(files, draft, { from, maxBytes: left })
      adopted = found.adopted
      all.push(...(await namedAs(db, from, found.copies)))
    }
    const rows = all.map((file) => ({ id: newId(), workspaceId, botId: draft.id, ...file }))
    return await inTransaction(db, async (kysely) => {
      const copies = { workspaceId, most }
      // First, as it locks the workspace: the tables of a cluster are locked in one order.
      if (rows.length > 0 && !(await hasRoomFor({ kysely }, rows, copies))) {
        throw filesFull(await measureAuthorFiles({ kysely }, workspaceId), most)
      }
      const made = await insertDraft({ ...db, kysely }, workspace, adopted)
      if (rows.length > 0) await insertCopies({ kysely }, rows)
      return made
    })
  } catch (error) {
    // Unreported copies may exist if the store failed at a later one.
    if (from !== undefined || stored.length > 0) await files.deleteBotFiles(draft.id)
    throw error
  }
}

/** How many bytes more the files of a workspace may have. */
export async function roomOf(
  { db, most }: Pick<Deps, "db" | "most">,
  workspaceId: string,
): Promise<number> {
  const { files, bytes } = await measureAuthorFiles(db, workspaceId)
  return files < most.files ? Math.max(0, most.bytes - bytes) : 0
}

/** The draft with addresses of the copies. */
async function adoptFiles(
  files: Pick<FileStore, "adopt">,
  draft: Draft,
  { from, maxBytes }: { from: string; maxBytes: number },
): Promise<{ adopted: Draft; copies: FileCopy[] }> {
  const { groups, edges, ...rest } = draft.flow
  // Few blocks refer to files, even in large flows.
  const blocks = groups.flatMap((group) => group.blocks.filter(namesFile))
  const copies: FileCopy[] = []
  const onCopy = (copy: FileCopy) => void copies.push(copy)
  const adopted = await files.adopt(
    { draft: { ...draft, flow: rest }, blocks },
    { from, to: draft.id, onCopy, maxBytes },
  )
  const changedBlocks = new Map(
    blocks.map((block, index) => [block, adopted.blocks[index] ?? block]),
  )
  const changed = mapBlocks(groups, (block) => changedBlocks.get(block) ?? block)
  const flow = { ...adopted.draft.flow, groups: changed, edges }
  return { adopted: { ...adopted.draft, flow }, copies }
}

function namesFile(json: unknown): boolean {
  if (typeof json === "string") return json.includes(publicFilesPath)
  if (typeof json !== "object" || json === null) return false
  return Object.values(json).some(namesFile)
}

/** The copies under the names of their originals. */
async function namedAs(db: Db, from: string, copies: readonly FileCopy[]): Promise<StoredFile[]> {
  if (copies.length === 0) return []
  const originals = await listFilesOfBot(db, from)
  const names = new Map(originals.map(({ key, name }) => [key, name]))
  return copies.map(({ original, key, bytes }) => {
    return { key, bytes, name: names.get(original) ?? key.slice(key.lastIndexOf("/") + 1) }
  })
}
