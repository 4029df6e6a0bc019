/** Operations on theme templates. */

import { z } from "zod"
import { validateChanges } from "../../authoring/upgrade/validateFlow.ts"
import { applyTheme } from "../../bots/applyTheme.ts"
import { botChangesSchema } from "../../bots/botInput.ts"
import { builtInTheme, builtInThemes } from "../../bots/builtInThemes.ts"
import {
  deleteThemeTemplate,
  findThemeTemplate,
  insertThemeTemplate,
  listThemeTemplates,
  measureThemeTemplates,
  type TemplateAddress,
  type ThemeTemplateRow,
  updateThemeTemplate,
} from "../../db/bots/themeTemplates.ts"
import type { Source } from "../../db/connection/openDatabase.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { AppError, forbidden, notFound, orNotFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { editWorkspace, requireBot, requireWorkspace } from "../../people/access.ts"
import { exampleDates, exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  bodyFlag,
  botIdSchema,
  done,
  timestampSchema,
  workspaceIdSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

const operation = operationsOf("Bots")

const exampleTheme = { chat: { buttons: { backgroundColor: "#9a4a1c", color: "#ffffff" } } }

const templateIdSchema = z.string().min(1).max(255).describe("Id of the theme template")

const templateNameSchema = z.string().trim().min(1).max(255).describe("Name")

const themeTemplateSchema = namedObject("ThemeTemplate", "A look that bots can be given", {
  id: z.string().describe("Id of the theme template"),
  name: z.string().describe("Name"),
  theme: themeSchema,
  isBuiltIn: z.boolean().describe("Whether every workspace has it, read-only"),
  createdAt: timestampSchema("When it was made; absent: it is built in").optional(),
  updatedAt: timestampSchema("When it was last changed; absent: it is built in").optional(),
})

const exampleTemplate = {
  id: exampleIds.templateId,
  name: "Autumn",
  theme: exampleTheme,
  isBuiltIn: false,
  ...exampleDates,
}

/** Together they are one answer. */
const maxTemplates = 100
const maxBytes = 2_000_000

const newTemplateSchema = z.object({
  workspaceId: workspaceIdSchema,
  name: templateNameSchema,
  theme: themeSchema,
})

const addressMembers = { workspaceId: workspaceIdSchema, templateId: templateIdSchema }

const changesSchema = z.object({
  ...addressMembers,
  name: templateNameSchema.optional(),
  theme: themeSchema.optional().describe("Theme, replaced as a whole; absent: unchanged"),
})

export const themeTemplates = {
  create: operation("POST /workspaces/{workspaceId}/themeTemplates", {
    operationId: "createThemeTemplate",
    admits: "workspaceEditors",
    readInput: readTexts(newTemplateSchema),
    errorResponses: [409],
    summary: "Create a theme template",
    description: "A workspace has at most 100, with 2 MB together.",
    example: {
      request: { name: exampleTemplate.name, theme: exampleTheme },
      response: { themeTemplate: exampleTemplate },
    },
    input: newTemplateSchema,
    output: { themeTemplate: themeTemplateSchema },
  }).mutation(async ({ ctx, input: { workspaceId, name, theme } }) => {
    const template = { id: newId(), workspaceId, name, theme: JSON.stringify(theme) }
    const row = await editWorkspace(ctx, workspaceId, async (locked) => {
      await requireRoom(locked, { workspaceId, templateId: template.id }, template.theme)
      return await insertThemeTemplate(locked, template)
    })
    return { themeTemplate: present(row) }
  }),

  list: operation("GET /workspaces/{workspaceId}/themeTemplates", {
    operationId: "listThemeTemplates",
    admits: "workspaceListers",
    summary: "List theme templates",
    description:
      `Those of the workspace, newest first, at most ${maxTemplates}, then those that are built in. The built-in ones ` +
      "load nothing from others, and their texts have the contrast of WCAG 2.2 AA.",
    example: {
      query: { isBuiltIn: false },
      response: { themeTemplates: [exampleTemplate] },
    },
    input: {
      workspaceId: workspaceIdSchema,
      isBuiltIn: z
        .boolean()
        .optional()
        .describe("Whether to list those built in alone, or those of the workspace; absent: both"),
    },
    output: { themeTemplates: z.array(themeTemplateSchema).describe("The theme templates") },
  }).query(async ({ ctx, input: { workspaceId, isBuiltIn } }) => {
    await requireWorkspace(ctx, workspaceId, "list")
    const rows = isBuiltIn === true ? [] : await listThemeTemplates(ctx.db, workspaceId)
    const given = isBuiltIn === false ? [] : builtInThemes
    const builtIn = given.map((each) => ({ ...each, isBuiltIn: true }))
    return { themeTemplates: [...rows.map(present), ...builtIn] }
  }),

  update: operation("PATCH /workspaces/{workspaceId}/themeTemplates/{templateId}", {
    operationId: "updateThemeTemplate",
    admits: "workspaceEditors",
    readInput: readTexts(changesSchema),
    errorResponses: [409],
    summary: "Change a theme template",
    description:
      "Omitted members stay as they are. Bots that it was applied to stay as they look. 403 for one that " +
      "is built in.",
    example: {
      request: { name: "Late autumn" },
      response: { themeTemplate: { ...exampleTemplate, name: "Late autumn" } },
    },
    input: changesSchema,
    output: { themeTemplate: themeTemplateSchema },
  }).mutation(async ({ ctx, input: { workspaceId, templateId, name, theme } }) => {
    const address = { workspaceId, templateId }
    const json = theme && JSON.stringify(theme)
    const row = await editWorkspace(ctx, workspaceId, async (locked) => {
      refuseBuiltIn(templateId)
      if (json !== undefined) await requireRoom(locked, address, json)
      return await updateThemeTemplate(locked, address, { name, theme: json })
    })
    return { themeTemplate: present(orNotFound(row, "Theme template")) }
  }),

  delete: operation("DELETE /workspaces/{workspaceId}/themeTemplates/{templateId}", {
    operationId: "deleteThemeTemplate",
    admits: "workspaceEditors",
    summary: "Delete a theme template",
    description:
      "Bots that it was applied to stay as they look. 403 for one that is built in, 404 for one that is gone.",
    input: addressMembers,
  }).mutation(async ({ ctx, input: address }) => {
    await requireWorkspace(ctx, address.workspaceId, "edit")
    refuseBuiltIn(address.templateId)
    if (!(await deleteThemeTemplate(ctx.db, address))) throw notFound("Theme template")
    return done
  }),
}

/** Reads an input whose texts may be as long as those of a bot. */
function readTexts<Schema extends z.ZodType>(schema: Schema): (sent: unknown) => z.output<Schema> {
  return (sent) => {
    const read = validateChanges(schema, sent)
    if (!read.success) throw read.error
    return read.data
  }
}

/** Throws a 409 when the workspace, which is locked, would have too many templates, or too large ones. */
async function requireRoom(locked: Source, address: TemplateAddress, theme: string): Promise<void> {
  const { count, bytes } = await measureThemeTemplates(locked, address)
  if (count < maxTemplates && bytes + Buffer.byteLength(theme) <= maxBytes) return
  throw new AppError(
    "THEME_TEMPLATES_FULL",
    `The theme templates of a workspace are ${maxTemplates} at most, with ${maxBytes / 1_000_000} MB together`,
    { data: { used: { count, bytes }, limit: { count: maxTemplates, bytes: maxBytes } } },
  )
}

function refuseBuiltIn(templateId: string): void {
  if (builtInTheme(templateId) === undefined) return
  throw forbidden("This theme template is built in: create one with its theme, and change that")
}

function present(row: ThemeTemplateRow): z.infer<typeof themeTemplateSchema> {
  return presentRow(themeTemplateSchema, { ...row, isBuiltIn: false })
}

const themedSchema = namedObject("ThemedDraft", "The look that a draft was given", {
  theme: themeSchema,
  selectedThemeTemplateId: z.string().describe("The theme template that was applied"),
  updatedAt: timestampSchema("When the draft was changed; send it back with a change"),
})

export const applyThemeProcedure = operation("POST /bots/{botId}/applyTheme", {
  operationId: "applyTheme",
  admits: "botWriters",
  errorResponses: [409],
  summary: "Apply a theme template",
  description:
    "Replaces the theme of the draft by that of a template, which is built in or of the workspace of the " +
    "bot; avatars stay unless the template has some. Later changes of the template change no bot. It is an edit " +
    "like others, and can be undone. With `updatedAt`, 409 if the bot has changed since.",
  example: {
    request: { templateId: exampleIds.templateId },
    response: {
      theme: exampleTheme,
      selectedThemeTemplateId: exampleIds.templateId,
      updatedAt: exampleTime,
    },
  },
  input: {
    botId: botIdSchema,
    templateId: templateIdSchema,
    updatedAt: botChangesSchema.shape.updatedAt,
    overwrite: bodyFlag("Whether to apply it even if `updatedAt` is stale"),
  },
  output: themedSchema,
}).mutation(async ({ ctx, input: { botId, templateId, updatedAt, overwrite } }) => {
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
