/** GET /api/v1/bots/{botId}/results/{resultId}/trace */
import { z } from "zod"
import { groupBy } from "../../engine/groupBy.ts"
import { isOld } from "../../engine/recorded/conversation.ts"
import { describeTrace } from "../../engine/recorded/describeTrace.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { fitting } from "../../pageOfAnswer.ts"
import { type ReadChat, readChat, tooLongToTell } from "../../results/readChat.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { presentLog, resultIdSchema, resultLogSchema } from "./schema.ts"

const blockSchema = z
  .object({
    blockId: z.string().describe("Id of the block"),
    type: z.string().optional().describe("Its type; absent: it is gone"),
    groupTitle: z.string().optional().describe("Title of its group; absent: it is gone"),
    at: timestampSchema("When it was reached, as far as the calls before it tell"),
    edgeId: z
      .string()
      .optional()
      .describe("Edge along which the chat left it; absent: it stayed in the group, or stopped"),
  })
  .meta({ id: "TracedBlock", description: "A block that a turn visited" })

const variableSchema = z
  .object({
    blockId: z.string().describe("The block that set it"),
    variableId: z.string().describe("Id of the variable"),
    name: z.string().optional().describe("Its name; absent: it is gone"),
    value: variableValueSchema
      .optional()
      .describe(
        "Its value then; absent: no text, picture or condition mentions it, or results do not keep it",
      ),
    isSessionVariable: z.boolean().describe("Whether its values are never kept in results"),
  })
  .meta({ id: "TracedVariable", description: "A variable that a block set" })

const callSchema = z
  .object({
    blockId: z.string().optional().describe("The block that made it; absent: to judge the reply"),
    kind: z.string().describe("What was asked for, for example `http`, `email`, `model`, `script`"),
    status: z.enum(["done", "failed"]).describe("Whether there was an answer"),
    httpStatus: z.int().optional().describe("Status of the answer; absent: not over HTTP"),
    ms: z.int().describe("How long it took, in milliseconds"),
  })
  .meta({ id: "TracedCall", description: "A call to the outside world" })

const turnSchema = z
  .object({
    at: timestampSchema("When it was stored"),
    blocks: z.array(blockSchema).describe("The blocks that were visited, in order"),
    variables: z.array(variableSchema).describe("Variables that blocks set, without answers"),
    calls: z.array(callSchema).describe("Calls to the outside world, in order"),
    errors: z.array(resultLogSchema).describe("What went wrong"),
    isCut: z.boolean().describe("Whether more happened than is kept: some 16,000 characters"),
  })
  .meta({ id: "TracedTurn", description: "What happened in one turn" })

/** Reads what happened in each turn of a conversation. */
export const traceProcedure = tokenOperation("GET /bots/{botId}/results/{resultId}/trace", {
  operationId: "getResultTrace",
  admits: "botReaders",
  tag: "Results",
  summary: "Get the trace of a result",
  description:
    "Turn by turn: blocks, edges, variables, calls and errors. Replies that were refused change nothing and are not in it. Needs a role at the bot.",
})
  .input(z.object({ botId: botIdSchema, resultId: resultIdSchema }))
  .output(
    z.object({
      turns: z.array(turnSchema).describe("The turns, oldest first"),
      isTraced: z
        .boolean()
        .describe("False: of some turns blocks are not kept, as the transcript says"),
    }),
  )
  .query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const chat = await readChat(ctx, input)
    const turns = tellTurns(chat)
    if (fitting(turns).length < turns.length) throw tooLongToTell()
    return { turns, isTraced: !isOld(chat.turns) }
  })

function tellTurns({ result, own, turns, bots }: ReadChat): z.infer<typeof turnSchema>[] {
  const kept = new Set((result.variables as { id: string }[]).map(({ id }) => id))
  const errors = groupBy(
    own.logs.filter(({ status }) => status === "error"),
    ({ createdAt }) => createdAt.toISOString(),
  )
  return turns.map((turn) => {
    const at = new Date(turn.at).toISOString()
    const { blocks, variables, calls, isCut } = describeTrace(turn, bots, kept)
    return {
      at,
      blocks: blocks.map((block) => ({ ...block, at: new Date(block.at).toISOString() })),
      variables,
      calls,
      errors: (errors.get(at) ?? []).map(presentLog),
      isCut,
    }
  })
}
