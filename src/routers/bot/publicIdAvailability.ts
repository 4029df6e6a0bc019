/** GET /api/v1/bots/publicIdAvailability */
import { z } from "zod"
import { isPublicId, publicIdSchema } from "../../bots/address.ts"
import { isPublicIdTaken } from "../../db/bots/bots.ts"
import { tokenOperation } from "../trpc.ts"

/** Tells whether a public id is available. */
export const publicIdAvailabilityProcedure = tokenOperation(
  "GET /api/v1/bots/publicIdAvailability",
  {
    operationId: "checkPublicId",
    admits: "accounts",
    tag: "Bots",
    summary: "Check whether a public id is available",
    description: "Not available: taken by any bot, or against the rules of public ids.",
  },
)
  .input(z.object({ publicId: publicIdSchema }))
  .output(z.object({ isAvailable: z.boolean().describe("Whether a bot can get it now") }))
  .query(async ({ ctx, input: { publicId } }) => ({
    isAvailable: isPublicId(publicId) && !(await isPublicIdTaken(ctx.db, publicId)),
  }))
