/** POST /api/v1/workspaces */
import { z } from "zod"
import { insertWorkspace } from "../../db/people/workspaces.ts"
import { badRequest } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import {
  newWorkspaceSchema,
  presentNewWorkspace,
  workspaceIconSchema,
  workspaceNameSchema,
} from "./schema.ts"

/** Creates a workspace with the caller as ADMIN. */
export const createProcedure = tokenOperation("POST /api/v1/workspaces", {
  operationId: "createWorkspace",
  admits: "accounts",
  tag: "Workspaces",
  summary: "Create a workspace",
  description: "The caller becomes its ADMIN. 400 when the caller has one of the same name.",
})
  .input(
    z.object({
      name: workspaceNameSchema.describe("Name, different from those of the caller's workspaces"),
      icon: workspaceIconSchema.nullish(),
    }),
  )
  .output(z.object({ workspace: newWorkspaceSchema }))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const row = await insertWorkspace(ctx.db, {
      id: newId(),
      name: input.name,
      icon: input.icon ?? null,
      plan: ctx.user.isPlatformAdmin ? "UNLIMITED" : ctx.settings.defaultPlan,
      ownerId: ctx.user.id,
    })
    if (row === undefined) throw badRequest("Workspace with same name already exists")
    return { workspace: presentNewWorkspace(row) }
  })
