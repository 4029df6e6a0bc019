/** Operations on the files that authors keep for a bot, or for all bots of a workspace. */

import { z } from "zod"
import { deleteAuthorFile, signAuthorFile } from "../../bots/storeAuthorFiles.ts"
import { type AuthorFileRow, type FilesOwner, listAuthorFiles } from "../../db/bots/authorFiles.ts"
import { servedAs } from "../../effects/files/servedAs.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { notFound } from "../../lib/errors.ts"
import { requireBot, requireWorkspace } from "../../people/access.ts"
import type { Context } from "../context.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { botIdSchema, done, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

const operation = operationsOf("Bots")

const fileIdSchema = z.string().min(1).max(64).describe("Id of the file")

/** Members of a request to upload a file. */
const announcedMembers = {
  fileName: z.string().trim().min(1).max(255).describe("Name by which authors find it"),
  fileType: z
    .string()
    .max(255)
    .nullish()
    .describe("MIME type; absent or unknown: that of the name's ending"),
  fileSize: z.int().min(1).max(2_000_000_000).describe("Size in bytes; a larger upload is refused"),
}

const authorFileSchema = namedObject("AuthorFile", "A file that authors keep for their bots", {
  id: z.string().describe("Id of the file"),
  name: z.string().describe("Name by which authors find it"),
  type: z.string().describe("MIME type that it is served as"),
  bytes: z.number().describe("Size; as announced until the upload is over"),
  url: z.string().describe("Public address, for flows and themes"),
  createdAt: timestampSchema("When its upload was prepared"),
})

const announcedFileSchema = namedObject("FileToUpload", "A file, and permission to upload it", {
  file: authorFileSchema,
  presignedUrl: z.string().describe("URL to POST the form to, once, within ten minutes"),
  formData: z
    .record(z.string(), z.string())
    .describe("Fields of the form; the file comes last, as the field `file`"),
})

/** The description of all uploads. */
const uploadRules =
  "POST the form to `presignedUrl` within ten minutes, once. Takes pictures, audio, video and fonts, which " +
  "are always served as the announced type, and documents and ZIP archives; no SVG and no HTML, which may hold " +
  "scripts. What never " +
  "comes is forgotten after 20 minutes. 409 when the workspace has no room."

/** A file in examples, by its id and its folder. */
function exampleFile(id: string, folder: string) {
  const url = `https://parley.example.com/files/public/${folder}/RrSqDf7DBip7QtWdaJOG7fQMsf46NlN6.png`
  const file = { id, name: "logo.png", type: "image/png", bytes: 5, url, createdAt: exampleTime }
  const presignedUrl = `${url}?expires=1779438330123&max=5&tallies=${id}&signature=Tq8ZrX2mVb4N`
  return {
    file,
    upload: {
      request: { fileName: "logo.png", fileType: "image/png", fileSize: 5 },
      response: { file, presignedUrl, formData: {} },
    },
  }
}

/** A file of a bot, and one of a workspace, in examples. */
const examples = {
  bot: exampleFile(exampleIds.fileId, "6f1ed002ab5595859014ebf0951522d9"),
  workspace: exampleFile("w5o4r3k2f1i0l9e8o7f6a5l4", "8277e0910d750195b448797616e091ad"),
}

/** Dependencies of storing bots with their files. */
export function filesOf({ db, uploads, settings }: Pick<Context, "db" | "uploads" | "settings">) {
  const { maxFilesBytes: bytes = Number.POSITIVE_INFINITY } = settings
  return { db, files: uploads.files, most: { files: maxFiles, bytes } }
}

function presentFile({ uploads }: Pick<Context, "uploads">, row: AuthorFileRow) {
  const { contentType: type } = servedAs(row.key)
  return presentRow(authorFileSchema, { ...row, type, url: uploads.files.addressOf(row.key) })
}

type Announced = { fileName: string; fileType?: string | null | undefined; fileSize: number }

async function prepareUpload(
  ctx: Pick<Context, "db" | "uploads" | "settings">,
  owner: FilesOwner,
  { fileName, fileType, fileSize }: Announced,
): Promise<z.infer<typeof announcedFileSchema>> {
  const { db, files, most } = filesOf(ctx)
  const { maxMegabytes } = ctx.uploads
  const file = { fileName, fileType: fileType ?? undefined, fileSize }
  const { row, upload } = await signAuthorFile({ db, files, maxMegabytes, most }, owner, file)
  const { presignedUrl, formData } = upload
  return { file: presentFile(ctx, row), presignedUrl, formData }
}

/** Of a workspace and its bots. */
const maxFiles = 5_000

const positionSchema = z.object({ createdAt: z.coerce.date(), id: z.string() })

async function presentPage(
  ctx: Pick<Context, "db" | "uploads" | "cursorCipher">,
  owner: FilesOwner,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const { workspaceId, botId } = owner
  const cursors = cursorsOf(ctx, ["listFiles", workspaceId, botId], positionSchema)
  const after = cursors.read(cursor)
  const rows = await listAuthorFiles(ctx.db, { ...owner, after, limit: limit + 1 })
  const { page, last } = pageOf(rows, limit)
  const files = page.map((row) => presentFile(ctx, row))
  return { files, ...cursors.write(last && { createdAt: last.createdAt, id: last.id }) }
}

const filesSchema = pageSchema
  .extend({ files: z.array(authorFileSchema).describe("Newest first") })
  .meta({ id: "AuthorFiles", description: "A page of files" })

const { fileName } = announcedMembers
const sharedName = fileName.describe("Name by which authors of all bots of the workspace find it")

const deletionRules =
  "Its address leads nowhere from then on, wherever it is used: in drafts, in published versions, in " +
  "running chats."

export const authorFiles = {
  createOfBot: operation("POST /bots/{botId}/files", {
    operationId: "createBotFile",
    admits: "botWriters",
    errorResponses: [409],
    summary: "Prepare the upload of a file for a bot",
    description: uploadRules,
    example: examples.bot.upload,
    input: { botId: botIdSchema, ...announcedMembers },
    output: announcedFileSchema,
  }).mutation(async ({ ctx, input: { botId, ...file } }) => {
    const { workspaceId } = await requireBot(ctx, botId, "write")
    return await prepareUpload(ctx, { workspaceId, botId }, file)
  }),

  listOfBot: operation("GET /bots/{botId}/files", {
    operationId: "listBotFiles",
    admits: "botReaders",
    summary: "List the files of a bot",
    description: "Those that authors uploaded for it, newest first; without those of visitors.",
    example: { response: { files: [examples.bot.file] } },
    input: { botId: botIdSchema, ...pageMembers },
    output: filesSchema,
  }).query(async ({ ctx, input: { botId, ...page } }) => {
    const { workspaceId } = await requireBot(ctx, botId, "read")
    return await presentPage(ctx, { workspaceId, botId }, page)
  }),

  deleteOfBot: operation("DELETE /bots/{botId}/files/{fileId}", {
    operationId: "deleteBotFile",
    admits: "botWriters",
    summary: "Delete a file of a bot",
    description: deletionRules,
    input: { botId: botIdSchema, fileId: fileIdSchema },
  }).mutation(async ({ ctx, input: { botId, fileId } }) => {
    const { workspaceId } = await requireBot(ctx, botId, "write")
    const { files } = ctx.uploads
    const isGone = await deleteAuthorFile({ db: ctx.db, files }, { workspaceId, botId, fileId })
    if (!isGone) throw notFound("File")
    return done
  }),

  createOfWorkspace: operation("POST /workspaces/{workspaceId}/files", {
    operationId: "createWorkspaceFile",
    admits: "workspaceEditors",
    errorResponses: [409],
    summary: "Prepare the upload of a file for the bots of a workspace",
    description: uploadRules,
    example: examples.workspace.upload,
    input: { workspaceId: workspaceIdSchema, ...announcedMembers, fileName: sharedName },
    output: announcedFileSchema,
  }).mutation(async ({ ctx, input: { workspaceId, ...file } }) => {
    await requireWorkspace(ctx, workspaceId, "edit")
    return await prepareUpload(ctx, { workspaceId, botId: null }, file)
  }),

  listOfWorkspace: operation("GET /workspaces/{workspaceId}/files", {
    operationId: "listWorkspaceFiles",
    admits: "workspaceEditors",
    summary: "List the files of a workspace",
    description: "Newest first, without those of its bots.",
    example: { response: { files: [examples.workspace.file] } },
    input: { workspaceId: workspaceIdSchema, ...pageMembers },
    output: filesSchema,
  }).query(async ({ ctx, input: { workspaceId, ...page } }) => {
    await requireWorkspace(ctx, workspaceId, "edit")
    return await presentPage(ctx, { workspaceId, botId: null }, page)
  }),

  deleteOfWorkspace: operation("DELETE /workspaces/{workspaceId}/files/{fileId}", {
    operationId: "deleteWorkspaceFile",
    admits: "workspaceEditors",
    summary: "Delete a file of a workspace",
    description: deletionRules,
    example: { path: { fileId: examples.workspace.file.id }, response: done },
    input: { workspaceId: workspaceIdSchema, fileId: fileIdSchema },
  }).mutation(async ({ ctx, input: { workspaceId, fileId } }) => {
    await requireWorkspace(ctx, workspaceId, "edit")
    const { files } = ctx.uploads
    const place = { workspaceId, botId: null, fileId }
    if (!(await deleteAuthorFile({ db: ctx.db, files }, place))) throw notFound("File")
    return done
  }),
}
