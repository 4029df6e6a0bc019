/** Tests where folders may be. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { checkPlace, deepestFolder, type FolderInTree } from "./folderTree.ts"

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
const id = fc.constantFrom(...ids)
const places = fc.array(fc.record({ folderId: id, parentFolderId: fc.option(id) }), {
  maxLength: 40,
})

/** How many folders deep the deepest one is; more than there are when one is inside itself. */
function levelsOf(folders: readonly FolderInTree[]): number {
  const depths = folders.map((folder) => {
    let depth = 1
    for (let at = folder.parentFolderId; at !== null && depth <= folders.length; depth++) {
      at = folders.find((each) => each.id === at)?.parentFolderId ?? null
    }
    return depth
  })
  return Math.max(0, ...depths)
}

function isRefused(check: () => void): boolean {
  try {
    check()
    return false
  } catch {
    return true
  }
}

test("exactly the places within five levels are accepted", () => {
  fc.assert(
    fc.property(places, (moves) => {
      let folders: FolderInTree[] = ids.map((id) => ({ id, parentFolderId: null }))
      for (const { folderId, parentFolderId } of moves) {
        const moved = folders.map((each) =>
          each.id === folderId ? { ...each, parentFolderId } : each,
        )
        const isCircle = levelsOf(moved) > moved.length
        const isTooDeep = levelsOf(moved) > deepestFolder
        const refused = isRefused(() => checkPlace(folders, { folderId, parentFolderId }))
        expect(refused).toBe(isCircle || isTooDeep)
        if (!refused) folders = moved
        const isNewRefused = isRefused(() => checkPlace(folders, { parentFolderId }))
        const withNew = [...folders, { id: "new", parentFolderId }]
        expect(isNewRefused).toBe(levelsOf(withNew) > deepestFolder)
      }
    }),
    { numRuns: 300 },
  )
})
