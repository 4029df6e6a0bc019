/** Calls a tool: its procedure, unless a person has to be asked first. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { AppError, badRequest } from "../lib/errors.ts"
import type { Caller } from "../people/caller.ts"
import { type OperationScope, requireScope } from "../people/grants.ts"
import { describeRefusal, type Refusal } from "../routers/refusal.ts"
import { ownArguments } from "./describeTool.ts"
import { presentAnswer, presentQuestion, presentRefusal } from "./present.ts"
import type { Question, Tool } from "./tools.ts"

/** Calls a procedure, as over REST; rejects with what it throws. */
export type CallProcedure = (path: string, input: unknown) => Promise<unknown>

/** The user whom an assistant works for. */
export type Principal = {
  caller: Caller
  call: CallProcedure
  report(refused: { operation: string; refusal: Refusal; error: unknown }): void
}

/** A tool, the scope that it takes if it takes a token, and the arguments of a call. */
type ToolCall = { tool: Tool; scope: OperationScope | undefined; sent: Record<string, unknown> }

/** Calls a tool. What the service refuses becomes an answer that says so. */
export async function callTool(
  principal: Principal,
  { tool, scope, sent }: ToolCall,
): Promise<CallToolResult> {
  const { confirm, part, ...given } = sent
  const input = { ...given, ...tool.sets }
  try {
    if (scope !== undefined) requireScope(principal.caller, scope)
    const own = readOwn({ confirm, part })
    const question = own.confirm ? undefined : tool.asks?.(input)
    if (question !== undefined) return await ask(principal, question, input)
    const answer = await principal.call(tool.path, input)
    const shown = tool.shorten?.(answer, input) ?? answer
    return presentAnswer({ answer: shown, words: tool.words, part: own.part })
  } catch (error) {
    const refusal = describeRefusal(error, { input })
    principal.report({ operation: tool.path, refusal, error })
    return presentRefusal(refusal)
  }
}

function readOwn(sent: { confirm: unknown; part: unknown }) {
  const own = ownArguments.safeParse(sent)
  if (own.success) return own.data
  throw badRequest("`confirm` must be true, and `part` a `pointer` and `from`, as `cuts` have them")
}

/** Answers with what would change, for callers who may see it. */
async function ask({ call }: Principal, question: Question, { botId }: Record<string, unknown>) {
  const words = "people who edit bots"
  if ("changes" in question) {
    return presentQuestion(`These change at once for visitors: ${question.changes}`, words)
  }
  const { bot } = (await call("bot.get", { botId })) as { bot: { name: string } }
  const sides = { botId, from: "live", to: question.goesLive, format: "markdown" }
  const report = await call("version.diff", sides).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.reason !== "NOT_FOUND") throw error
    return { markdown: `Nothing is live yet: all of the ${question.goesLive} would be.` }
  })
  const { markdown } = report as { markdown: string }
  return presentQuestion(`# ${bot.name}\n\n${markdown}`, words)
}
