/** Stores a bot with its own copies of the public files of the bot that it was made from. */
import {
  insertCopies,
  listFilesOfBot,
  measureAuthorFiles,
  type NewCopy,
} from "../db/bots/authorFiles.ts"
import type { BotRow } from "../db/bots/bots.ts"
import type { Db } from "../db/connection/open.ts"
import type { WorkspaceRow } from "../db/people/workspaces.ts"
import type { FileCopy } from "../effects/files/adoptFiles.ts"
import { publicFilesPath } from "../effects/files/fileAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { mapBlocks } from "../engine/bot.ts"
import { newId } from "../ids.ts"
import { type Draft, insertDraft } from "./insertDraft.ts"

type Deps = {
  db: Db
  files: Pick<FileStore, "adopt" | "removeBot">
  /** Room for the files of a workspace. */
  maxBytes: number
}

/** A draft, and the bot whose public files it may have; absent: there is none. */
type Copied = { draft: Draft; from: string | undefined }

/**
 * Stores a draft. It gets copies of the files of the other bot that it names, as far as its workspace has
 * room; the others keep their addresses.
 */
export async function insertWithFiles(
  { db, files, maxBytes }: Deps,
  workspace: WorkspaceRow,
  { draft, from }: Copied,
): Promise<BotRow> {
  if (from === undefined) return await insertDraft(db, workspace, draft)
  const used = await measureAuthorFiles(db, workspace.id)
  const left = Math.max(0, maxBytes - used.bytes)
  const { adopted, copies } = await adoptFiles(files, draft, { from, maxBytes: left })
  try {
    const row = await insertDraft(db, workspace, adopted)
    await recordCopies(db, { workspaceId: workspace.id, botId: draft.id, from }, copies)
    return row
  } catch (error) {
    if (copies.length > 0) await files.removeBot(draft.id)
    throw error
  }
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

/** Copies are files of the new bot, under the names of their originals. */
async function recordCopies(
  db: Db,
  { workspaceId, botId, from }: { workspaceId: string; botId: string; from: string },
  copies: readonly FileCopy[],
): Promise<void> {
  if (copies.length === 0) return
  const originals = await listFilesOfBot(db, from)
  const names = new Map(originals.map(({ key, name }) => [key, name]))
  const rows = copies.map(({ original, key, bytes }): NewCopy => {
    const name = names.get(original) ?? key.slice(key.lastIndexOf("/") + 1)
    return { id: newId(), workspaceId, botId, key, name, bytes }
  })
  await insertCopies(db, rows)
}
