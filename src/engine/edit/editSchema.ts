/** Edits of a draft, as callers send them. */

import { z } from "zod"
import { blockSchema } from "../blocks/registry.ts"
import { groupSchema } from "../bot.ts"
import { changedMembers } from "../schema/botMembers.ts"
import { edgeSchema } from "../schema/edge.ts"
import { eventSchema } from "../schema/event.ts"
import { listOf } from "../schema/lists.ts"
import { settingsSchema } from "../schema/settings.ts"
import { idSchema, namedObject } from "../schema/sharedMembers.ts"
import { themeSchema } from "../schema/theme.ts"
import { variableSchema } from "../schema/variable.ts"
import { patchSchemaOf } from "./patchSchema.ts"

/** An edit by the name of its type. */
const edit = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  description: string,
  shape: Shape,
) => {
  const id = type.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())
  return namedObject(id, description, { type: z.literal(type).describe(description), ...shape })
}

const indexSchema = z.number().int().min(0).max(100_000)

/** Index of an element in its list. */
const index = indexSchema
  .optional()
  .describe("Index in its list, from 0; absent: unchanged, a new one at the end")

const isAlone = z
  .literal(true)
  .optional()
  .describe(
    "True: nothing else changes, even if it leaves a dangling or unnamed edge; for edits " +
      "that restore such a draft",
  )

const changedGroupSchema = groupSchema
  .extend({
    blocks: listOf(blockSchema)
      .optional()
      .describe("Blocks of a new group; ignored if the group exists"),
  })
  .meta({ id: "EditedGroup", description: "A group to add, or to retitle or move" })

/** One edit. It names its element by its unique id. */
export const editSchema = z
  .discriminatedUnion("type", [
    edit("group.put", "Adds a group, or changes its title and coordinates", {
      group: changedGroupSchema,
      index,
    }),
    edit("group.remove", "Removes a group, its blocks, and the edges from and to it", {
      groupId: idSchema.describe("Id of the group"),
      isAlone,
    }),
    edit("block.put", "Adds a block to a group, or replaces it there", {
      groupId: idSchema.describe("Id of the group"),
      block: blockSchema,
      index: indexSchema.optional().describe("Index of a new block in its group; absent: the end"),
    }),
    edit("block.move", "Moves a block; edges that lead to it follow", {
      blockId: idSchema.describe("Id of the block"),
      groupId: idSchema.describe("Id of the target group"),
      index: indexSchema.describe(
        "Index among the other blocks of that group, from 0; too large: the end",
      ),
      isAlone,
    }),
    edit("block.remove", "Removes a block, and the edges from and to it", {
      blockId: idSchema.describe("Id of the block"),
      isAlone,
    }),
    edit("edge.put", "Adds or replaces an edge, and names it at its source", {
      edge: edgeSchema,
      index,
      isAlone,
    }),
    edit("edge.remove", "Removes an edge, also from its source", {
      edgeId: idSchema.describe("Id of the edge"),
      isAlone,
    }),
    edit("variable.put", "Adds or replaces a variable", { variable: variableSchema, index }),
    edit("variable.remove", "Removes a variable; references to it dangle", {
      variableId: idSchema.describe("Id of the variable"),
    }),
    edit("event.put", "Adds or replaces an event", { event: eventSchema, index }),
    edit("event.remove", "Removes an event, and the edges from it", {
      eventId: idSchema.describe("Id of the event"),
      isAlone,
    }),
    edit("theme.merge", "Changes parts of the theme", { theme: patchSchemaOf(themeSchema) }),
    edit("settings.merge", "Changes parts of the settings", {
      settings: patchSchemaOf(settingsSchema),
    }),
    edit("bot.set", "Sets members of the bot; omitted ones stay", changedMembers),
  ])
  .meta({ id: "Edit", description: "A change of one element of a draft" })

/** One edit of a draft. */
export type Edit = z.infer<typeof editSchema>

export type EditOf<Type extends Edit["type"]> = Extract<Edit, { type: Type }>
