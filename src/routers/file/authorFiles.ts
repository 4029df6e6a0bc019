/** Operations on the files that authors keep for a bot, or for all bots of a workspace. */
import { z } from "zod"
import { removeAuthorFile } from "../../bots/authorFiles.ts"
import { notFound } from "../../errors.ts"
import { requireBot, requireWorkspace } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { pageMembers, pageSchema } from "../cursor.ts"
import { done, doneSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import {
  announcedFileSchema,
  announcedMembers,
  authorFileSchema,
  examples,
  fileIdSchema,
  prepareUpload,
  presentPage,
  uploadRules,
} from "./schema.ts"

const filesSchema = pageSchema
  .extend({ files: z.array(authorFileSchema).describe("Newest first") })
  .meta({ id: "AuthorFiles", description: "A page of files" })

const { fileName } = announcedMembers
const sharedName = fileName.describe("Name by which authors of all bots of the workspace find it")

const deletionRules =
  "Its address leads nowhere from then on, wherever it is used: in drafts, in published versions, in " +
  "running chats."

export const authorFiles = {
  createOfBot: tokenOperation("POST /bots/{botId}/files", {
    operationId: "createBotFile",
    admits: "botWriters",
    tag: "Bots",
    errorResponses: [409],
    summary: "Prepare the upload of a file for a bot",
    description: uploadRules,
    example: examples.bot.upload,
  })
    .input(z.object({ botId: botIdSchema, ...announcedMembers }))
    .output(announcedFileSchema)
    .mutation(async ({ ctx, input: { botId, ...file } }) => {
      const { workspaceId } = await requireBot(ctx, botId, "write")
      return await prepareUpload(ctx, { workspaceId, botId }, file)
    }),

  listOfBot: tokenOperation("GET /bots/{botId}/files", {
    operationId: "listBotFiles",
    admits: "botReaders",
    tag: "Bots",
    summary: "List the files of a bot",
    description: "Those that authors uploaded for it, newest first; without those of visitors.",
    example: { response: { files: [examples.bot.file] } },
  })
    .input(z.object({ botId: botIdSchema, ...pageMembers }))
    .output(filesSchema)
    .query(async ({ ctx, input: { botId, ...page } }) => {
      const { workspaceId } = await requireBot(ctx, botId, "read")
      return await presentPage(ctx, { workspaceId, botId }, page)
    }),

  deleteOfBot: tokenOperation("DELETE /bots/{botId}/files/{fileId}", {
    operationId: "deleteBotFile",
    admits: "botWriters",
    tag: "Bots",
    summary: "Delete a file of a bot",
    description: deletionRules,
    example: { response: done },
  })
    .input(z.object({ botId: botIdSchema, fileId: fileIdSchema }))
    .output(doneSchema)
    .mutation(async ({ ctx, input: { botId, fileId } }) => {
      const { workspaceId } = await requireBot(ctx, botId, "write")
      const { files } = ctx.uploads
      const isGone = await removeAuthorFile({ db: ctx.db, files }, { workspaceId, botId, fileId })
      if (!isGone) throw notFound("File")
      return done
    }),

  createOfWorkspace: tokenOperation("POST /workspaces/{workspaceId}/files", {
    operationId: "createWorkspaceFile",
    admits: "workspaceEditors",
    tag: "Bots",
    errorResponses: [409],
    summary: "Prepare the upload of a file for the bots of a workspace",
    description: uploadRules,
    example: examples.workspace.upload,
  })
    .input(z.object({ workspaceId: workspaceIdSchema, ...announcedMembers, fileName: sharedName }))
    .output(announcedFileSchema)
    .mutation(async ({ ctx, input: { workspaceId, ...file } }) => {
      await requireWorkspace(ctx, workspaceId, "edit")
      return await prepareUpload(ctx, { workspaceId, botId: null }, file)
    }),

  listOfWorkspace: tokenOperation("GET /workspaces/{workspaceId}/files", {
    operationId: "listWorkspaceFiles",
    admits: "workspaceEditors",
    tag: "Bots",
    summary: "List the files of a workspace",
    description: "Newest first, without those of its bots.",
    example: { response: { files: [examples.workspace.file] } },
  })
    .input(z.object({ workspaceId: workspaceIdSchema, ...pageMembers }))
    .output(filesSchema)
    .query(async ({ ctx, input: { workspaceId, ...page } }) => {
      await requireWorkspace(ctx, workspaceId, "edit")
      return await presentPage(ctx, { workspaceId, botId: null }, page)
    }),

  deleteOfWorkspace: tokenOperation("DELETE /workspaces/{workspaceId}/files/{fileId}", {
    operationId: "deleteWorkspaceFile",
    admits: "workspaceEditors",
    tag: "Bots",
    summary: "Delete a file of a workspace",
    description: deletionRules,
    example: { path: { fileId: examples.workspace.file.id }, response: done },
  })
    .input(z.object({ workspaceId: workspaceIdSchema, fileId: fileIdSchema }))
    .output(doneSchema)
    .mutation(async ({ ctx, input: { workspaceId, fileId } }) => {
      await requireWorkspace(ctx, workspaceId, "edit")
      const { files } = ctx.uploads
      const place = { workspaceId, botId: null, fileId }
      if (!(await removeAuthorFile({ db: ctx.db, files }, place))) throw notFound("File")
      return done
    }),
}
