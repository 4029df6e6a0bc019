/** Workspaces in requests and responses. */
import { z } from "zod"
import { namedObject } from "../../engine/schema/members.ts"
import { plans } from "../../plans.ts"
import { timestampSchema } from "../sharedSchemas.ts"

/** Name of a workspace, trimmed. */
export const workspaceNameSchema = z.string().trim().min(1).max(255).describe("Name")

/** Icon of a workspace. */
export const workspaceIconSchema = z.string().max(2048).describe("Emoji or address of a picture")

const planSchema = z
  .enum(plans)
  .meta({ id: "Plan", description: "The plan that the workspace is on" })

const titlesSchema = z
  .object({
    isEnabled: z.boolean().optional().describe("Whether groups are named by a model"),
    provider: z.string().max(255).optional().describe("Provider of the model"),
    credentialsId: z.string().max(255).optional().describe("Credential for the provider"),
    model: z.string().max(255).optional().describe("Name of the model"),
    prompt: z.string().max(10_000).optional().describe("Prompt for the model"),
  })
  .meta({ id: "GroupTitlesAutoGeneration", description: "Naming of groups by a language model" })

/** Settings of a workspace. */
export const workspaceSettingsSchema = namedObject("WorkspaceSettings", "Settings of a workspace", {
  groupTitlesAutoGeneration: titlesSchema.optional(),
})

/** A new workspace. */
export const newWorkspaceSchema = z
  .object({
    id: z.string().describe("Id of the workspace"),
    createdAt: timestampSchema("When it was created"),
    updatedAt: timestampSchema("When it was last changed"),
    name: z.string().describe("Name"),
    icon: z.string().nullable().describe("Emoji or address of a picture; null: none"),
    plan: planSchema,
    stripeId: z.string().nullable().describe("Id at the payment processor; null: none"),
    settings: workspaceSettingsSchema.nullable().describe("Settings; null: all defaults"),
    isSuspended: z.boolean().describe("Whether the operator has suspended it"),
    isPastDue: z.boolean().describe("Whether a payment is overdue"),
    isVerified: z
      .boolean()
      .nullable()
      .describe("Whether the operator has reviewed it; null: not yet"),
    chatsHardLimit: z
      .number()
      .nullable()
      .describe("Chats per month after which new ones are refused; null: no limit of its own"),
    lastActivityAt: timestampSchema(
      "When somebody last made or published a bot in it, to the day; null: not yet. Reading does not count",
    ).nullable(),
    inactiveFirstEmailSentAt: timestampSchema(
      "When its members were first mailed that it is inactive; null: not yet",
    ).nullable(),
    inactiveSecondEmailSentAt: timestampSchema(
      "When they were mailed again; null: not yet",
    ).nullable(),
  })
  .meta({ id: "CreatedWorkspace", description: "A workspace that was just made" })

/** A workspace. */
export const workspaceSchema = newWorkspaceSchema
  .extend({
    customChatsLimit: z
      .number()
      .nullable()
      .describe("Chats per month instead of the plan's number; null: the plan's"),
    customSeatsLimit: z
      .number()
      .nullable()
      .describe("Members instead of the plan's number; null: the plan's"),
  })
  .meta({ id: "Workspace", description: "A group of bots, with its members and limits" })

/** A workspace in a list. */
export const listedWorkspaceSchema = newWorkspaceSchema
  .pick({ id: true, name: true, icon: true, plan: true })
  .meta({ id: "ListedWorkspace", description: "A workspace in a list" })
