/** Checks the place of a folder. */
import { badRequest, notFound } from "../lib/errors.ts"

/** Max levels of folders. */
export const deepestFolder = 5

export type FolderInTree = { id: string; parentFolderId: string | null }

/** The place of a folder; null: the top level. */
type FolderPlace = {
  /** Undefined: the folder is new. */
  folderId?: string | undefined
  parentFolderId: string | null
}

/**
 * Refuses a place for a folder: one that its workspace does not have, inside the folder itself, or too
 * deep for what is in it.
 */
export function checkPlace(
  folders: readonly FolderInTree[],
  { folderId, parentFolderId }: FolderPlace,
): void {
  if (parentFolderId === null) return
  const parents = new Map(folders.map((each) => [each.id, each.parentFolderId]))
  if (!parents.has(parentFolderId)) throw notFound("Folder")
  const above = wayUp(parents, parentFolderId)
  if (folderId !== undefined && above.includes(folderId))
    throw badRequest("A folder cannot be inside itself")
  const levels = folders.map(({ id }) => wayUp(parents, id).indexOf(folderId ?? "") + 1)
  if (above.length + Math.max(1, ...levels) > deepestFolder)
    throw badRequest(`Folders can be inside each other up to ${deepestFolder} levels`)
}

/** A folder and those around it, from the inside to the outside. */
function wayUp(parents: ReadonlyMap<string, string | null>, from: string): string[] {
  const way: string[] = []
  for (let at: string | null = from; at !== null && way.length <= deepestFolder; ) {
    way.push(at)
    at = parents.get(at) ?? null
  }
  return way
}
