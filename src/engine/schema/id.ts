/** Identifiers inside a flow: opaque, kept exactly as sent. */
import { z } from "zod"

/** An id of a group, block, item, edge, event or variable. */
export const idSchema = z.string().min(1).max(255)

/** A reference to an edge; it may dangle, which is normal in exports. */
export const edgeIdSchema = z
  .string()
  .describe("Id of the edge to follow; an id without an edge is ignored")

/** A reference to a variable of the bot; unknown ids are ignored. */
export const variableIdSchema = z.string().describe("Id of a variable of this bot")
