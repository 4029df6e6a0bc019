/** Traces of previews: their schema, and who gets them. */
import { z } from "zod"
import type { Insight } from "../../chat/previews/previewTracing.ts"
import { findBotFacts } from "../../db/bots/bots.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { forbidden } from "../../lib/errors.ts"
import { admitToBot } from "../../people/access.ts"
import { requireScope } from "../../people/grants.ts"
import type { Context } from "../context.ts"
import { callShape } from "../result/recordedOperations.ts"
import { optionalCaller, refusedToken } from "../trpc.ts"

const linkedBotSchema = z
  .string()
  .optional()
  .describe("Id of the linked bot that it belongs to; absent: the bot itself")

const blockSchema = namedObject("PreviewedBlock", "A block that a turn of a preview passed", {
  blockId: z.string().describe("Id of the block"),
  groupId: z.string().describe("Id of its group"),
  botId: linkedBotSchema,
  ms: z.number().describe("How long it took with its calls, in milliseconds"),
  edgeId: z
    .string()
    .optional()
    .describe("Id of the edge along which it was left; absent: along none"),
  calls: z
    .array(namedObject("PreviewedCall", "A call of a block to the outside world", callShape))
    .optional()
    .describe("Its calls to the outside world, in order; absent: none"),
})

const variableSchema = namedObject("PreviewedVariable", "A variable that has a value", {
  id: z.string().describe("Id of the variable"),
  name: z.string().describe("Name of the variable, cut at 100 characters"),
  botId: linkedBotSchema,
  value: variableValueSchema
    .optional()
    .describe("Its value; absent: of a session variable, for callers who may not edit the bot"),
  isSessionVariable: z.boolean().describe("Whether results never store its values"),
})

const answerSchema = namedObject("PreviewedAnswer", "A reply that a turn accepted", {
  blockId: z.string().describe("The input that asked"),
  content: z.string().describe("What was answered, as it was saved"),
  attachedFileUrls: z.array(z.string()).optional().describe("URLs of attached files; absent: none"),
})

export const previewTraceSchema = namedObject("PreviewTrace", "Trace of a turn of a preview", {
  turn: z
    .int()
    .describe("Number of the turn; later turns have larger numbers, also after going back"),
  blocks: z
    .array(blockSchema)
    .describe("What the turn passed, in order, from the block that took the message"),
  variables: z.array(variableSchema).describe("The variables that have a value after the turn"),
  answers: z.array(answerSchema).describe("What the turn accepted, in order"),
  isCut: z.boolean().describe("Whether the turn passed more than the 1,000 blocks listed"),
})

// Without a default: it would be a part of every request, and so of the keys of former releases.
export const traceFlagSchema = z
  .boolean()
  .optional()
  .describe(
    "True: the answer has a trace of the turn. Only for previews begun with a token whose user still has a role on the bot",
  )

/** Admits the user who began a preview, with their current rights on its bot. */
export async function admitTracer(ctx: Context) {
  const caller = await optionalCaller(ctx)
  if (!caller) throw await refusedToken(ctx, onlyWithToken)
  requireScope(caller, "bots:write")
  const { id: userId } = caller
  type Owner = { previewerId?: string | undefined; botId: string }
  const admitToTrace = async ({ previewerId, botId }: Owner): Promise<Insight> => {
    if (previewerId !== userId) throw forbidden("Only the user who began a preview may trace it")
    const { mode } = admitToBot(await findBotFacts(ctx.db, { botId, userId }), caller, "read")
    return { showsSession: mode === "write" }
  }
  return { userId, admitToTrace }
}

export const onlyWithToken =
  "A trace needs an API token: send the header `Authorization: Bearer parley_pat_…`"
