/** Theme templates in requests and responses. */
import { z } from "zod"
import { namedObject } from "../../engine/schema/members.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { timestampSchema } from "../sharedSchemas.ts"

/** A theme in examples. */
export const exampleTheme = { chat: { buttons: { backgroundColor: "#9a4a1c", color: "#ffffff" } } }

/** An id of a theme template. */
export const templateIdSchema = z.string().min(1).max(255).describe("Id of the theme template")

/** Name of a theme template, trimmed. */
export const templateNameSchema = z.string().trim().min(1).max(255).describe("Name")

/** A theme template. */
export const themeTemplateSchema = namedObject("ThemeTemplate", "A look that bots can be given", {
  id: z.string().describe("Id of the theme template"),
  name: z.string().describe("Name"),
  theme: themeSchema,
  isBuiltIn: z
    .boolean()
    .describe("Whether every workspace has it, and nobody can change or delete it"),
  createdAt: timestampSchema("When it was made; absent: it is built in").optional(),
  updatedAt: timestampSchema("When it was last changed; absent: it is built in").optional(),
})
