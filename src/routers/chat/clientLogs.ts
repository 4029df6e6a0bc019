/** POST /api/v1/sessions/{sessionId}/clientLogs */
import { z } from "zod"
import { recordClientLogs } from "../../chat/recordClientLogs.ts"
import { publicOperation } from "../trpc.ts"
import { sessionIdSchema } from "./schema.ts"

const clientLogSchema = z
  .object({
    status: z.string().nullish().describe("error, success or info; absent means error"),
    description: z.string().describe("What happened"),
    details: z
      .unknown()
      .optional()
      .describe("More about it: a text, or anything else, which is kept as JSON text"),
    context: z.string().nullish().describe("What was being done"),
  })
  .meta({ id: "ClientLog", description: "Something that happened at the client" })

/** Stores logs of a client. */
export const clientLogsProcedure = publicOperation("POST /sessions/{sessionId}/clientLogs", {
  operationId: "addClientLogs",
  admits: "anybody",
  takesPlainInput: true,
  tag: "Chat",
  summary: "Add client logs",
  description:
    "Stores what happened at the client, for example a script that failed, with the logs of the result. Texts are cut at 1,000 characters. A preview has no result, so it is a 404.",
  // Where clients of the second version of the API look for it.
  aliases: ["/api/v2/sessions/{sessionId}/clientLogs"],
})
  .input(
    z.object({
      sessionId: sessionIdSchema,
      clientLogs: z.array(clientLogSchema).max(50).describe("The lines, oldest first"),
    }),
  )
  .output(z.object({ message: z.string().describe("`success`") }))
  .mutation(async ({ ctx, input }) => {
    const { sessionId, clientLogs: logs } = input
    await ctx.limit("clientLogs", sessionId)
    const { origin, iframeReferrerOrigin } = ctx
    await recordClientLogs(ctx.chat, { sessionId, logs, origin, iframeReferrerOrigin })
    return { message: "success" }
  })
