/** Removes parts from edits that a workspace may not have, before they are stored, delivered and undone. */
import type { BotFacts } from "../../db/bots/bots.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { listKnownCredentials } from "../../db/people/credentials.ts"
import type { Block } from "../../engine/blocks/registry.ts"
import type { Draft } from "../../engine/edit/draft.ts"
import type { Edit } from "../../engine/edit/editSchema.ts"
import { patchesBetween } from "../../engine/edit/mergePatch.ts"
import { isEqual } from "../../lib/json.ts"
import type { Plan } from "../../lib/plans.ts"
import {
  credentialsIn,
  flaggedBy,
  sanitiseSettings,
  withKnownCredentials,
  withSessionFlags,
} from "../sanitise.ts"

/** The edits with blocks that use no credentials but those of the workspace. */
export async function withAllowedBlocks(
  db: Db,
  { workspaceId, plan }: BotFacts,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const ids = credentialsIn([groupOf(edits.flatMap(blocksIn))])
  if (ids.length === 0) return edits
  const known = await listKnownCredentials(db, { workspaceId, ids })
  const allowed = (blocks: Block[]) =>
    withKnownCredentials([groupOf(blocks)], known, plan).flatMap((group) => group.blocks)
  return edits.map((edit) => {
    const [block] = allowed(blocksIn(edit))
    if (edit.type === "block.put" && block) return { ...edit, block }
    if (edit.type !== "group.put" || !edit.group.blocks) return edit
    return { ...edit, group: { ...edit.group, blocks: allowed(edit.group.blocks) } }
  })
}

/** The edits, perhaps with more that make the edited draft valid for the workspace. */
export function settled(made: Draft, edits: readonly Edit[], plan: Plan): readonly Edit[] {
  // Untouched variables stay unchanged, as in a change without variables.
  const touched = new Set(edits.flatMap(variablesIn))
  const variables = made.variables.filter(({ id }) => touched.has(id))
  const flagged = withSessionFlags(variables, made.groups)
  const changed = flagged.filter((variable, index) => !isEqual(variable, variables[index]))
  const puts = changed.map((variable): Edit => ({ type: "variable.put", variable }))
  const own = puts.length === 0 ? edits : [...edits, ...puts]
  if (!edits.some(({ type }) => type === "settings.merge")) return own
  const allowed = sanitiseSettings(made.settings, { plan, isNew: false })
  const patches = patchesBetween(made.settings, allowed)
  if (patches.length === 0) return own
  return [...own, ...patches.map((settings): Edit => ({ type: "settings.merge", settings }))]
}

function variablesIn(edit: Edit): (string | undefined)[] {
  return edit.type === "variable.put" ? [edit.variable.id] : blocksIn(edit).flatMap(flaggedBy)
}

function blocksIn(edit: Edit): Block[] {
  if (edit.type === "block.put") return [edit.block]
  return edit.type === "group.put" ? (edit.group.blocks ?? []) : []
}

/** The position of blocks does not matter here. */
function groupOf(blocks: Block[]) {
  return { id: "", title: "", graphCoordinates: { x: 0, y: 0 }, blocks }
}
