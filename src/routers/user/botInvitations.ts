/** Operations on the invitations to work on single bots that the caller has received. */

import { z } from "zod"
import {
  acceptBotInvitation,
  declineBotInvitation,
  listOwnBotInvitations,
  type OwnBotInvitation,
} from "../../db/people/botInvitations.ts"
import { cut } from "../../engine/cut.ts"
import { notFound } from "../../errors.ts"
import { collaborationSchema } from "../bot/collaborators.ts"
import { botSchema } from "../bot/schema.ts"
import { exampleBakery, exampleIds, exampleOrders, exampleTime } from "../examples.ts"
import { done, doneSchema, presentRow, timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { ownInvitationAddressSchema, ownInvitationSchema } from "./schema.ts"

/** A user may have any number of invitations, since anybody may invite them. */
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

export const botInvitations = {
  listBotInvitations: tokenOperation("GET /users/me/botInvitations", {
    operationId: "listMyBotInvitations",
    admits: "accounts",
    tag: "Users",
    summary: "List your invitations to bots",
    description: `Pending invitations of the caller's email address to work on single bots, the newest ${limit}.`,
    example: {
      response: {
        invitations: [
          {
            ...{ id: exampleIds.invitationId, type: "READ" },
            ...{ bot: exampleOrders, workspace: exampleBakery },
            ...{ createdAt: exampleTime, updatedAt: exampleTime },
          },
        ],
      },
    },
  })
    .output(z.object({ invitations: z.array(ownBotInvitationSchema).describe("Newest first") }))
    .query(async ({ ctx }) => {
      const rows = await listOwnBotInvitations(ctx.db, { email: ctx.user.email, limit })
      return { invitations: rows.map(present) }
    }),

  acceptBotInvitation: tokenOperation("POST /users/me/botInvitations/{invitationId}/accept", {
    operationId: "acceptBotInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Accept an invitation to a bot",
    description:
      "The bot is shared with the caller from now on. 404 when it was deleted, or the invitation was " +
      "withdrawn or already answered.",
    example: { response: { botId: exampleOrders.id, type: "READ" } },
  })
    .input(ownInvitationAddressSchema)
    .output(z.object({ botId: z.string().describe("Id of the bot"), type: collaborationSchema }))
    .mutation(async ({ ctx, input: { invitationId } }) => {
      const accepted = await acceptBotInvitation(ctx.db, { invitationId, user: ctx.user })
      if (accepted === undefined) throw notFound("Invitation")
      return { botId: accepted.botId, type: accepted.type === "READ" ? "READ" : "WRITE" }
    }),

  declineBotInvitation: tokenOperation("POST /users/me/botInvitations/{invitationId}/decline", {
    operationId: "declineBotInvitation",
    admits: "itsAccount",
    tag: "Users",
    summary: "Decline an invitation to a bot",
    description: "404 when it was withdrawn or already answered.",
    example: { response: done },
  })
    .input(ownInvitationAddressSchema)
    .output(doneSchema)
    .mutation(async ({ ctx, input: { invitationId } }) => {
      const declined = await declineBotInvitation(ctx.db, { invitationId, user: ctx.user })
      if (declined === undefined) throw notFound("Invitation")
      return done
    }),
}

function present({ botId, bot, ...row }: OwnBotInvitation): z.infer<typeof ownBotInvitationSchema> {
  const type = row.type === "READ" ? ("READ" as const) : ("WRITE" as const)
  const named = { id: botId, name: cut(bot.name), icon: bot.icon }
  return presentRow(ownBotInvitationSchema, { ...row, type, bot: named })
}
