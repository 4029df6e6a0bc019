/** Operations on the folders of a workspace. */

import { z } from "zod"
import { checkPlace, deepestFolder } from "../../bots/folderTree.ts"
import {
  dissolveFolder,
  type FolderRow,
  hasFolder,
  insertFolder,
  listFolders,
  moveBots,
  updateFolder,
} from "../../db/bots/folders.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { cut } from "../../lib/cut.ts"
import { AppError, notFound, orNotFound } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { editWorkspace, requireWorkspace } from "../../people/access.ts"
import { exampleDates, exampleIds } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, timestampSchema, workspaceIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"

const operation = operationsOf("Bots")

const maxFolders = 500

const maxMoved = 200
const maxNameLength = 255

const folderIdSchema = z.string().min(1).max(255).describe("Id of the folder")
const nameSchema = z.string().min(1).max(maxNameLength).describe("Name")
const parentSchema = z.string().max(255).nullable().describe("Folder around it; null: none")

const folderSchema = namedObject("Folder", "A folder of bots", {
  id: z.string().describe("Id of the folder"),
  workspaceId: z.string().describe("Workspace that it belongs to"),
  name: z.string().describe("Name"),
  parentFolderId: parentSchema,
  createdAt: timestampSchema("When it was created"),
  updatedAt: timestampSchema("When it was last changed"),
})

const exampleFolder = {
  id: exampleIds.folderId,
  workspaceId: exampleIds.workspaceId,
  name: "Campaigns",
  parentFolderId: null,
  ...exampleDates,
}

const addressSchema = z.object({ workspaceId: workspaceIdSchema, folderId: folderIdSchema })

export const folders = {
  create: operation("POST /workspaces/{workspaceId}/folders", {
    operationId: "createFolder",
    admits: "workspaceEditors",
    summary: "Create a folder",
    description: `At most ${maxFolders} in a workspace, up to ${deepestFolder} inside each other.`,
    example: { request: { name: "Campaigns" }, response: { folder: exampleFolder } },
    input: {
      workspaceId: workspaceIdSchema,
      name: nameSchema,
      parentFolderId: parentSchema.default(null),
    },
    output: { folder: folderSchema },
  }).mutation(async ({ ctx, input }) => {
    const row = await editWorkspace(ctx, input.workspaceId, async (locked) => {
      const present = await listFolders(locked, input.workspaceId)
      if (present.length >= maxFolders)
        throw new AppError(
          "FOLDER_LIMIT_REACHED",
          `A workspace has at most ${maxFolders} folders`,
          {
            data: { limit: maxFolders },
          },
        )
      checkPlace(present, input)
      return await insertFolder(locked, { id: newId(), ...input })
    })
    return { folder: present(row) }
  }),

  list: operation("GET /workspaces/{workspaceId}/folders", {
    operationId: "listFolders",
    admits: "workspaceListers",
    summary: "List folders",
    description: `By name, at most ${maxFolders}. A GUEST sees those that hold bots shared with them, and no other folders around those.`,
    example: { response: { folders: [exampleFolder] } },
    input: { workspaceId: workspaceIdSchema },
    output: { folders: z.array(folderSchema).describe("The folders, by name") },
  }).query(async ({ ctx, input: { workspaceId } }) => {
    const { role } = await requireWorkspace(ctx, workspaceId, "list")
    const rows = await listFolders(ctx.db, workspaceId, role === "GUEST" ? ctx.user.id : undefined)
    const seen = new Set(rows.map(({ id }) => id))
    const parentOf = ({ parentFolderId: id }: FolderRow) =>
      id !== null && seen.has(id) ? id : null
    return { folders: rows.map((row) => present({ ...row, parentFolderId: parentOf(row) })) }
  }),

  update: operation("PATCH /workspaces/{workspaceId}/folders/{folderId}", {
    operationId: "updateFolder",
    admits: "workspaceEditors",
    summary: "Rename or move a folder",
    description: "Members left out stay as they are. A folder cannot be moved into itself.",
    example: {
      request: { name: "Campaigns 2026" },
      response: { folder: { ...exampleFolder, name: "Campaigns 2026" } },
    },
    input: addressSchema.extend({
      name: nameSchema.optional(),
      parentFolderId: parentSchema.optional(),
    }),
    output: { folder: folderSchema },
  }).mutation(async ({ ctx, input: { name, parentFolderId, ...address } }) => {
    const row = await editWorkspace(ctx, address.workspaceId, async (locked) => {
      const present = await listFolders(locked, address.workspaceId)
      const { folderId } = address
      checkPlace(present, { folderId, parentFolderId: parentFolderId ?? null })
      return await updateFolder(locked, address, { name, parentFolderId })
    })
    return { folder: present(orNotFound(row, "Folder")) }
  }),

  delete: operation("DELETE /workspaces/{workspaceId}/folders/{folderId}", {
    operationId: "deleteFolder",
    admits: "workspaceEditors",
    summary: "Delete a folder",
    description: "The bots and folders in it move to the folder around it.",
    input: addressSchema,
  }).mutation(async ({ ctx, input: { workspaceId, folderId } }) => {
    await editWorkspace(ctx, workspaceId, async (locked) => {
      const present = await listFolders(locked, workspaceId)
      const folder = present.find(({ id }) => id === folderId)
      await dissolveFolder(locked, orNotFound(folder, "Folder"))
    })
    return done
  }),

  moveBots: operation("POST /bots/move", {
    operationId: "moveBots",
    admits: "workspaceEditors",
    summary: "Move bots to a folder",
    description:
      `At most ${maxMoved}: all of them or, when one is not of the workspace, none. Drafts stay as they ` +
      "are, and so do the times of their last changes.",
    example: {
      request: {
        workspaceId: exampleIds.workspaceId,
        botIds: [exampleIds.botId],
        folderId: exampleIds.folderId,
      },
      response: done,
    },
    input: {
      workspaceId: workspaceIdSchema,
      botIds: listOf(z.string().max(255), maxMoved).min(1).describe("Ids of the bots"),
      folderId: z.string().max(255).nullable().describe("Folder to move to; null: out of any"),
    },
  }).mutation(async ({ ctx, input: { workspaceId, botIds: named, folderId } }) => {
    const botIds = [...new Set(named)]
    await editWorkspace(ctx, workspaceId, async (locked) => {
      if (folderId !== null && !(await hasFolder(locked, { workspaceId, folderId })))
        throw notFound("Folder")
      const count = await moveBots(locked, { workspaceId, botIds, folderId })
      if (count < botIds.length) throw notFound("Bot")
      ctx.audit?.count({ bots: count })
    })
    return done
  }),
}

function present(row: FolderRow): z.infer<typeof folderSchema> {
  return presentRow(folderSchema, { ...row, name: cut(row.name, maxNameLength) })
}
