/** POST /api/v1/bots/{botId}/leave */
import { z } from "zod"
import { deleteCollaborator } from "../../db/people/members.ts"
import { notFound } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { botIdSchema } from "./schema.ts"

/** Ends the caller's collaboration on a bot. */
export const leaveProcedure = tokenOperation("POST /api/v1/bots/{botId}/leave", {
  operationId: "leaveBot",
  admits: "botCollaborators",
  tag: "Bots",
  summary: "Leave a bot that is shared with you",
  description:
    "For collaborators. Membership in the workspace stays: those who edit there can still " +
    "open the bot. 404 for those with whom it is not shared.",
})
  .input(z.object({ botId: botIdSchema }))
  .output(z.object({ message: z.literal("success").describe("The bot is shared no more") }))
  .mutation(async ({ ctx, input: { botId } }) => {
    const isDeleted = await deleteCollaborator(ctx.db, { botId, userId: ctx.user.id })
    if (!isDeleted) throw notFound("Collaboration")
    return { message: "success" as const }
  })
