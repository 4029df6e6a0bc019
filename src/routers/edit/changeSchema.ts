/** What is heard of a bot by those who follow it. */
import { z } from "zod"
import { editSchema } from "../../engine/edit/editSchema.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { revisionSchema } from "../bot/schema.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { authorMember, publicationSchema } from "../version/schema.ts"

/** How an edit came about. */
export const editKindSchema = z.enum(["edit", "undo", "redo"]).describe("How it came about")

export const targetSchema = revisionSchema
  .optional()
  .describe("The revision that was taken back; absent: none")

const presentSchema = namedObject("Present", "Somebody who listens to the changes of a bot", {
  userId: z.string().describe("Id of the user"),
  name: z.string().nullable().describe("Name; null: none"),
  focus: z.string().optional().describe("The element that they are at; absent: none"),
})

/** One change. Answers are made of it, and not checked against it. */
export const botChangeSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("listening").describe("Nothing that happens after this revision is missed"),
      revision: revisionSchema,
    }),
    z.object({
      type: z.literal("edited").describe("An edit landed"),
      revision: revisionSchema,
      kind: editKindSchema,
      target: targetSchema,
      at: timestampSchema("When it was made"),
      author: authorMember,
      changeId: z.string().optional().describe("What its author called it; absent: nothing"),
      edits: z.array(editSchema).describe("Applied one after the other"),
    }),
    z.object({
      type: z
        .literal("replaced")
        .describe("The draft was changed as a whole, or too much of it: it must be read again"),
      revision: revisionSchema,
    }),
    z.object({
      type: z.literal("published").describe("The last publication comes first, if there is one"),
      publication: publicationSchema,
    }),
    z.object({
      type: z.literal("present").describe("Somebody came, went or moved"),
      present: z.array(presentSchema).describe("All who are there"),
    }),
  ])
  .meta({ id: "BotChange", description: "What is heard of a bot" })

export type BotChange = z.infer<typeof botChangeSchema>
