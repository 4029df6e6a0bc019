/** The entries of a diff of two flows. */
import { z } from "zod"
import { namedObject, optional } from "../../engine/schema/sharedMembers.ts"

/** Kinds of changes; `rewired`: an edge has another target. */
export const changeKinds = ["added", "removed", "changed", "moved", "rewired"] as const

export const flowChangeSchema = namedObject("FlowChange", "One difference between two flows", {
  kind: z
    .enum(changeKinds)
    .describe("Kind of change; moved: to another position, rewired: an edge has another target"),
  what: z
    .enum(["flow", "event", "group", "block", "item", "edge", "variable", "theme", "settings"])
    .describe("Kind of the changed part; flow: the format of the flow itself"),
  id: optional.text(
    "Id of the part; absent: the flow, the theme, the settings, an item without one",
  ),
  place: z
    .string()
    .describe(
      'Place for people: Group "Contact" › block 2 (email input); for an edge, where it ' +
        "starts. In the older flow when it was removed",
    ),
  label: optional.text("Label of the changed member; absent: unknown"),
  path: optional.text(
    "JSON Pointer (RFC 6901) inside the part to the changed value; absent: all of it",
  ),
  before: optional.text("Former value as plain text, the first 10,000 characters; absent: none"),
  after: optional.text("New value as plain text, likewise; absent: none"),
  value: z
    .unknown()
    .optional()
    .describe(
      "The stored value at the path now, or the whole part without a path; absent: " +
        "none, and for moved the same as before",
    ),
  pointerBefore: optional.text("JSON Pointer to the part in the older flow; absent: it was added"),
  pointerAfter: optional.text("JSON Pointer to the part in the newer flow; absent: it was removed"),
  exits: z
    .array(z.string())
    .optional()
    .describe(
      "JSON Pointers in the newer flow to each outgoingEdgeId that changed with the edge: it " +
        "holds the id of the edge, or is absent when the edge was removed",
    ),
})

/** One difference between two flows. */
export type FlowChange = z.infer<typeof flowChangeSchema>

export const flowChangesSchema = z
  .array(flowChangeSchema)
  .describe("The differences in the order of the chat; none: the flows are equal")
