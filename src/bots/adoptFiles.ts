/** Gives a bot its own copies of the public files of the bot that it was made from. */
import { publicFilesPath } from "../effects/files/fileAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { mapBlocks } from "../engine/bot.ts"
import type { Draft } from "./insertDraft.ts"

/** The draft with addresses of the copies; `from`: the bot whose files they are. */
export async function adoptFiles(
  files: Pick<FileStore, "adopt">,
  draft: Draft,
  from: string,
): Promise<Draft> {
  const { groups, edges, ...rest } = draft.flow
  // Few blocks refer to files, even in large flows.
  const blocks = groups.flatMap((group) => group.blocks.filter(namesFile))
  const adopted = await files.adopt(
    { draft: { ...draft, flow: rest }, blocks },
    { from, to: draft.id },
  )
  const copies = new Map(blocks.map((block, index) => [block, adopted.blocks[index] ?? block]))
  const changed = mapBlocks(groups, (block) => copies.get(block) ?? block)
  return { ...adopted.draft, flow: { ...adopted.draft.flow, groups: changed, edges } }
}

function namesFile(json: unknown): boolean {
  if (typeof json === "string") return json.includes(publicFilesPath)
  if (typeof json !== "object" || json === null) return false
  return Object.values(json).some(namesFile)
}
