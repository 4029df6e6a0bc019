/** Determines the columns to write of an edited draft: only differences. */
import { z } from "zod"
import type { BotFacts } from "../../db/bots/bots.ts"
import type { DraftColumns } from "../../db/bots/edits.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { fewBlocks, fewEdges, fewVariables } from "../../engine/bot.ts"
import type { Draft } from "../../engine/edit/draft.ts"
import { bytesInMemory } from "../../lib/bytesInMemory.ts"
import { badRequest } from "../../lib/errors.ts"
import { isEqual } from "../../lib/json.ts"
import type { BotChanges } from "../botInput.ts"
import { readChanges } from "../readChanges.ts"
import { changesWithin } from "./changesWithin.ts"
import type { DraftSize } from "./draftMemory.ts"

/** Refuses changes that authors may not make. Only differences within groups and edges are written. */
export async function writtenColumns(
  db: Db,
  facts: BotFacts,
  { before, after }: { before: Draft; after: Draft },
): Promise<{ columns: DraftColumns; growth: DraftSize }> {
  const changed = membersChanged(before, after)
  const { groups, edges, variables, ...others } = changed
  refuseTooMany({ groups, edges, variables })
  const read = await readChanges(db, facts, others)
  const columns: DraftColumns = { ...read, variables, within: {} }
  const growth: DraftSize = { json: 0, memory: 0 }
  for (const name of Object.keys(changed) as (keyof Draft)[]) {
    const isList = name === "groups" || name === "edges"
    const changes = isList ? listChanges(name, before, after) : undefined
    if (isList && changes) columns.within[name] = changes
    else if (isList) columns[name] = after[name]
    for (const { value, former } of changes ?? [{ value: after[name], former: before[name] }]) {
      const [now, earlier] = [sizeOf(value), sizeOf(former)]
      growth.json += now.json - earlier.json
      growth.memory += now.memory - earlier.memory
    }
  }
  return { columns, growth }
}

/** The members that differ. */
function membersChanged(before: Draft, after: Draft): BotChanges {
  const names = Object.keys(after) as (keyof Draft)[]
  return Object.fromEntries(
    names.flatMap((name) => (isEqual(before[name], after[name]) ? [] : [[name, after[name]]])),
  )
}

const sizes = z.object({
  groups: z.array(z.unknown()).check(fewBlocks).optional(),
  edges: z.array(z.unknown()).check(fewEdges).optional(),
  variables: z.array(z.unknown()).check(fewVariables).optional(),
})

function refuseTooMany(lists: z.input<typeof sizes>): void {
  const refused = sizes.safeParse(lists).error?.issues[0]
  if (refused) throw badRequest(refused.message)
}

/** Undefined: the whole list is written. */
function listChanges(name: "groups" | "edges", before: Draft, after: Draft) {
  // Missing members of older versions were filled in on reading.
  return Number(before.version) < 5 ? undefined : changesWithin(before[name], after[name])
}

export function sizeOf(value: unknown): DraftSize {
  return {
    json: Buffer.byteLength(JSON.stringify(value) ?? ""),
    memory: bytesInMemory(value),
  }
}
