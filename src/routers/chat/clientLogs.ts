/** POST /api/v1/sessions/{sessionId}/clientLogs */

import { z } from "zod"
import { recordClientLogs } from "../../chat/recordClientLogs.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { done, doneSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { publicOperation } from "../trpc.ts"

const clientLogSchema = namedObject("ClientLog", "Something that happened at the client", {
  status: z.string().nullish().describe("error, success or info; absent means error"),
  description: z.string().describe("What happened"),
  details: z
    .unknown()
    .optional()
    .describe("Details: a text, or any other value, which is stored as JSON"),
  context: z.string().nullish().describe("What was being done"),
})

export const clientLogsProcedure = publicOperation("POST /sessions/{sessionId}/clientLogs", {
  operationId: "addClientLogs",
  admits: "anybody",
  takesPlainInput: true,
  tag: "Chat",
  summary: "Add client logs",
  description:
    "Adds what happened in the client, such as a script that failed, to the logs of the result. Texts are cut at 1,000 characters. 404 for a preview, which has no result.",
  // For clients of the second version of the API.
  aliases: ["/api/v2/sessions/{sessionId}/clientLogs"],
  example: {
    request: {
      clientLogs: [
        { status: "error", description: "A script failed", details: "x is not defined" },
      ],
    },
    response: done,
  },
  input: {
    sessionId: sessionIdSchema,
    clientLogs: listOf(clientLogSchema, 50).describe("The lines, oldest first"),
  },
  output: doneSchema,
}).mutation(async ({ ctx, input: { sessionId, clientLogs: logs } }) => {
  await ctx.limit("clientLogs", sessionId)
  const { origin, iframeReferrerOrigin, onlyBots } = ctx
  await recordClientLogs(ctx.chat, { sessionId, logs, origin, iframeReferrerOrigin, onlyBots })
  return done
})
