/** POST /api/v1/bots/{botId}/preview/{sessionId}/back */

import { z } from "zod"
import { goBack } from "../../chat/previews/goBack.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { requireBot } from "../access.ts"
import { exampleQuestion } from "../examples.ts"
import { botIdSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { previewTraceSchema } from "./previewTrace.ts"
import { chatStepShape } from "./schema.ts"

const { input, dynamicTheme, progress } = chatStepShape

const outputSchema = namedObject("PreviewStepBack", "Where a preview is again", {
  input: input.describe("The question that waits for another answer"),
  dynamicTheme,
  progress,
  turn: z
    .int()
    .describe("Number of the turn that asked, as its trace has it; what came later is undone"),
  variables: previewTraceSchema.shape.variables.describe("The variables that have a value again"),
})

/** Goes back to the question before the last answer. */
export const previewBackProcedure = tokenOperation("POST /bots/{botId}/preview/{sessionId}/back", {
  operationId: "goBackInPreview",
  admits: "botReaders",
  tag: "Bots",
  isAudited: false,
  isTrusted: true,
  errorResponses: [409],
  summary: "Go back in a preview",
  description:
    "Returns to the state before the last answer, so that the question can be answered again: for whoever began the preview, with a token. The last 50 states are kept, as far as they take no more than 2 MB. Waits for a turn that is under way. What blocks did outside, such as requests and mails, stays done.",
  example: { response: { input: exampleQuestion.input, turn: 1, variables: [] } },
})
  .input(z.object({ botId: botIdSchema, sessionId: sessionIdSchema }))
  .output(outputSchema)
  .mutation(async ({ ctx, input: { botId, sessionId } }) => {
    const { mode, workspaceId } = await requireBot(ctx, botId, "read")
    return await goBack(ctx.chat, {
      ...{ botId, sessionId, workspaceId, userId: ctx.user.id },
      showsSession: mode === "write",
      hasLeft: ctx.hasLeft,
    })
  })
