/** Operations on the invitations that the caller has received, into workspaces and to single bots. */
import { z } from "zod"
import {
  acceptBotInvitation,
  declineBotInvitation,
  listOwnBotInvitations,
  type OwnBotInvitation,
} from "../../db/people/botInvitations.ts"
import type { OwnInvitation } from "../../db/people/invitations.ts"
import {
  deleteInvitation,
  findInvitation,
  listOwnInvitations,
} from "../../db/people/invitations.ts"
import { withWorkspace } from "../../db/people/workspaces.ts"
import { cut } from "../../lib/cut.ts"
import { notFound, orNotFound } from "../../lib/errors.ts"
import { joinWorkspace } from "../../people/joinWorkspace.ts"
import { botSchema } from "../bot/botSchemas.ts"
import { collaborationSchema } from "../bot/collaboratorOperations.ts"
import {
  exampleAuthor,
  exampleBakery,
  exampleDates,
  exampleIds,
  exampleOrders,
} from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import { done, timestampSchema } from "../sharedSchemas.ts"
import { callerOperation, operationsOf } from "../trpc.ts"
import {
  exampleMember,
  invitationSchema,
  memberSchema,
  presentMember,
  roleSchema,
} from "../workspace/memberOperations.ts"
import { newWorkspaceSchema } from "../workspace/workspaceOperations.ts"

const operation = operationsOf("Users")

/** An invitation of the caller, in paths. */
const ownInvitationAddressSchema = z.object({
  invitationId: z.string().min(1).describe("Id of the invitation"),
})

const ownInvitationSchema = invitationSchema
  .omit({ email: true })
  .extend({
    type: roleSchema.describe("Role that the caller will have"),
    workspace: newWorkspaceSchema
      .pick({ id: true, name: true, icon: true })
      .meta({ id: "InvitingWorkspace", description: "The workspace that the caller may join" }),
  })
  .meta({ id: "OwnInvitation", description: "An invitation of the caller into a workspace" })

/** The number of invitations of a user is unbounded: anyone may invite them. */
const limit = 100

const ownBotInvitationSchema = z
  .object({
    id: z.string().describe("Id of the invitation"),
    type: collaborationSchema,
    bot: botSchema
      .pick({ id: true, name: true, icon: true })
      .meta({ id: "InvitingBot", description: "The bot that the caller may work on" }),
    workspace: ownInvitationSchema.shape.workspace,
    createdAt: timestampSchema("When it was created"),
    updatedAt: timestampSchema("When it was last changed"),
  })
  .meta({ id: "OwnBotInvitation", description: "An invitation of the caller to work on a bot" })

export const ownInvitations = {
  listInvitations: callerOperation("GET /users/me/invitations", {
    operationId: "listMyInvitations",
    admits: "accounts",
    tag: "Users",
    summary: "List your invitations",
    description: `Pending invitations for the caller's email address, the newest ${limit}.`,
    example: {
      response: {
        invitations: [
          {
            id: exampleIds.invitationId,
            type: "GUEST",
            workspace: exampleBakery,
            ...exampleDates,
          },
        ],
      },
    },
    output: { invitations: z.array(ownInvitationSchema).describe("Newest first") },
  }).query(async ({ ctx }) => {
    const rows = await listOwnInvitations(ctx.db, { email: ctx.user.email, limit })
    return { invitations: rows.map(presentOwnInvitation) }
  }),

  acceptInvitation: operation("POST /users/me/invitations/{invitationId}/accept", {
    operationId: "acceptInvitation",
    admits: "itsAccount",
    summary: "Accept an invitation",
    description:
      "Gives the caller the role of the invitation. 404 when it was withdrawn or already answered.",
    example: {
      response: {
        member: { ...exampleMember("GUEST", exampleAuthor), workspaceId: exampleBakery.id },
      },
    },
    input: ownInvitationAddressSchema,
    output: { member: memberSchema },
  }).mutation(async ({ ctx, input: { invitationId } }) => {
    const { id: userId, email } = ctx.user
    const found = orNotFound(await findInvitation(ctx.db, { invitationId, email }), "Invitation")
    const person = { id: userId, email }
    const member = await joinWorkspace(ctx.db, { invitation: found, person })
    return { member: presentMember(member) }
  }),

  declineInvitation: operation("POST /users/me/invitations/{invitationId}/decline", {
    operationId: "declineInvitation",
    admits: "itsAccount",
    summary: "Decline an invitation",
    description: "Frees the seat. 404 when it was withdrawn or already answered.",
    input: ownInvitationAddressSchema,
  }).mutation(async ({ ctx, input: { invitationId } }) => {
    const { id: userId, email } = ctx.user
    const found = orNotFound(await findInvitation(ctx.db, { invitationId, email }), "Invitation")
    const { workspaceId } = found
    return await withWorkspace(ctx.db, { workspaceId, userId }, async (locked) => {
      if (!(await deleteInvitation(locked, { invitationId, email }))) throw notFound("Invitation")
      return done
    })
  }),

  listBotInvitations: callerOperation("GET /users/me/botInvitations", {
    operationId: "listMyBotInvitations",
    admits: "accounts",
    tag: "Users",
    summary: "List your invitations to bots",
    description: `Pending invitations of the caller's email address to work on single bots, the newest ${limit}, or those that take 16 MB.`,
    example: {
      response: {
        invitations: [
          {
            id: exampleIds.invitationId,
            type: "READ",
            bot: exampleOrders,
            workspace: exampleBakery,
            ...exampleDates,
          },
        ],
      },
    },
    output: { invitations: z.array(ownBotInvitationSchema).describe("Newest first") },
  }).query(async ({ ctx }) => {
    const rows = await listOwnBotInvitations(ctx.db, { email: ctx.user.email, limit })
    return { invitations: rows.map(present) }
  }),

  acceptBotInvitation: operation("POST /users/me/botInvitations/{invitationId}/accept", {
    operationId: "acceptBotInvitation",
    admits: "itsAccount",
    summary: "Accept an invitation to a bot",
    description:
      "The bot is shared with the caller from now on. 404 when it was deleted, or the invitation was " +
      "withdrawn or already answered.",
    example: { response: { botId: exampleOrders.id, type: "READ" } },
    input: ownInvitationAddressSchema,
    output: { botId: z.string().describe("Id of the bot"), type: collaborationSchema },
  }).mutation(async ({ ctx, input: { invitationId } }) => {
    const accepted = await acceptBotInvitation(ctx.db, { invitationId, user: ctx.user })
    const { botId, type } = orNotFound(accepted, "Invitation")
    return { botId, type: type === "READ" ? "READ" : "WRITE" }
  }),

  declineBotInvitation: operation("POST /users/me/botInvitations/{invitationId}/decline", {
    operationId: "declineBotInvitation",
    admits: "itsAccount",
    summary: "Decline an invitation to a bot",
    description: "404 when it was withdrawn or already answered.",
    input: ownInvitationAddressSchema,
  }).mutation(async ({ ctx, input: { invitationId } }) => {
    const declined = await declineBotInvitation(ctx.db, { invitationId, user: ctx.user })
    if (declined === undefined) throw notFound("Invitation")
    return done
  }),
}

function presentOwnInvitation(row: OwnInvitation): z.infer<typeof ownInvitationSchema> {
  const workspace = { id: row.workspaceId, ...row.workspace }
  return presentRow(ownInvitationSchema, { ...row, type: row.role, workspace })
}

function present({ botId, bot, ...row }: OwnBotInvitation): z.infer<typeof ownBotInvitationSchema> {
  const type = row.type === "READ" ? ("READ" as const) : ("WRITE" as const)
  const named = { id: botId, name: cut(bot.name), icon: bot.icon }
  return presentRow(ownBotInvitationSchema, { ...row, type, bot: named })
}
