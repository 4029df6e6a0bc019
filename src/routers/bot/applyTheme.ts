/** POST /api/v1/bots/{botId}/applyTheme */
import { z } from "zod"
import { applyTheme } from "../../bots/applyTheme.ts"
import { botChangesSchema } from "../../bots/botChanges.ts"
import { builtInTheme } from "../../bots/builtInThemes.ts"
import { findThemeTemplate } from "../../db/bots/themeTemplates.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { AppError } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { bodyFlag, timestampSchema } from "../sharedSchemas.ts"
import { exampleTheme, templateIdSchema } from "../themeTemplate/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

const themedSchema = namedObject("ThemedDraft", "The look that a draft was given", {
  theme: themeSchema,
  selectedThemeTemplateId: z.string().describe("The theme template that was applied"),
  updatedAt: timestampSchema("When the draft was changed; send it back with a change"),
})

/** Gives a bot the look of a theme template. */
export const applyThemeProcedure = tokenOperation("POST /bots/{botId}/applyTheme", {
  operationId: "applyTheme",
  admits: "botWriters",
  tag: "Bots",
  errorResponses: [409],
  summary: "Apply a theme template",
  description:
    "Replaces the theme of the draft by that of a template, which is built in or of the workspace of the " +
    "bot; avatars stay unless the template has some. Later changes of the template change no bot. It is an edit " +
    "like others, and can be undone. With `updatedAt`, 409 when somebody has changed the bot since.",
  example: {
    request: { templateId: exampleIds.templateId },
    response: {
      theme: exampleTheme,
      selectedThemeTemplateId: exampleIds.templateId,
      updatedAt: exampleTime,
    },
  },
})
  .input(
    z.object({
      botId: botIdSchema,
      templateId: templateIdSchema,
      updatedAt: botChangesSchema.shape.updatedAt,
      overwrite: bodyFlag("Whether to apply it even if `updatedAt` is stale"),
    }),
  )
  .output(themedSchema)
  .mutation(async ({ ctx, input: { botId, templateId, updatedAt, overwrite } }) => {
    const facts = await requireBot(ctx, botId, "write")
    const { workspaceId } = facts
    const template =
      builtInTheme(templateId) ?? (await findThemeTemplate(ctx.db, { workspaceId, templateId }))
    if (template === undefined)
      throw new AppError("THEME_TEMPLATE_UNKNOWN", "Theme template not found")
    const readAt = updatedAt && !overwrite ? new Date(updatedAt) : undefined
    const { theme } = template
    const by = { authorId: ctx.user.id, updatedAt: readAt }
    const themed = await applyTheme(ctx, facts, { templateId, theme, ...by })
    return presentRow(themedSchema, { ...themed, selectedThemeTemplateId: templateId })
  })
