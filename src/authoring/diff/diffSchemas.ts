/** What a diff of two flows consists of. */
import { z } from "zod"
import { optional } from "../../engine/schema/sharedMembers.ts"

/** What can happen to a thing; `rewired`: an edge leads elsewhere. */
export const changeKinds = ["added", "removed", "changed", "moved", "rewired"] as const

export const flowChangeSchema = z
  .object({
    kind: z
      .enum(changeKinds)
      .describe("What happened; moved: to another position, rewired: an edge leads elsewhere"),
    what: z
      .enum(["flow", "event", "group", "block", "item", "edge", "variable", "theme", "settings"])
      .describe("What it happened to; flow: the format of the flow itself"),
    id: optional.text(
      "Id of the thing; absent: the flow, the theme, the settings, an item without one",
    ),
    place: z
      .string()
      .describe(
        'Where a person finds it: Group "Contact" › block 2 (email input); for an edge, where it ' +
          "starts. In the older flow when it was removed",
      ),
    label: optional.text("What was changed there, in words; absent: not known"),
    path: optional.text(
      "JSON Pointer (RFC 6901) inside the thing to what was changed; absent: all of it",
    ),
    before: optional.text(
      "What it was, as plain text, the first 10,000 characters; absent: nothing",
    ),
    after: optional.text("What it is now, as plain text, likewise; absent: nothing"),
    value: z
      .unknown()
      .optional()
      .describe(
        "What is at the path now, as flows hold it, or the whole thing without a path; absent: " +
          "nothing, and for moved the same as before",
      ),
    pointerBefore: optional.text(
      "JSON Pointer to the thing in the older flow; absent: it was added",
    ),
    pointerAfter: optional.text(
      "JSON Pointer to the thing in the newer flow; absent: it was removed",
    ),
    exits: z
      .array(z.string())
      .optional()
      .describe(
        "JSON Pointers in the newer flow to each outgoingEdgeId that changed with the edge: it " +
          "holds the id of the edge, or is absent when the edge was removed",
      ),
  })
  .meta({ id: "FlowChange", description: "One difference between two flows" })

/** One difference between two flows. */
export type FlowChange = z.infer<typeof flowChangeSchema>

export const flowChangesSchema = z
  .array(flowChangeSchema)
  .describe("The differences in the order in which a chat comes to them; none: the flows are equal")
