/** The functions of an author and the tools of MCP servers, as one list that a model is offered. */
import {
  type Call,
  type Failure,
  isFailure,
  type McpServerAsk,
  type ModelAsk,
  type ModelTool,
  type ToolUse,
} from "../../engine/calls.ts"
import { cut } from "../../lib/cut.ts"
import { inSpan } from "../../telemetry/tracing.ts"
import { failed } from "../failures.ts"
import type { McpResult } from "../mcp/mcpConnection.ts"
import type { McpServer, McpTools } from "../mcp/mcpTools.ts"
import type { CallContext, Performer } from "../perform.ts"
import type { OfferedTool } from "./dialogue.ts"

/** What came of a call: text for the model, and the variables that a function has set. */
type ToolRun = { text: string; assigned?: Record<string, unknown> | undefined }

type Runnable = OfferedTool & { run(args: Record<string, unknown>): Promise<ToolRun> }

export type OfferedTools = { tools: readonly Runnable[]; close(): Promise<void> }

export type OfferDeps = {
  /** Runs functions of the author. */
  script: Performer<"script">
  mcp: Pick<McpTools, "open">
}

/** How long servers may be used for one question, beside the answers of the model. */
const maxMs = 120_000

/** Max calls of tools of servers for one question. */
const maxCalls = 20

/** Max tools that providers take, and max characters of all: they are sent with every step. */
const maxTools = 128
const maxCharacters = 200_000

/** Max characters of arguments, and of a result for the model. */
const maxArguments = 100_000
const maxResult = 50_000

/** Lists the tools of the servers, and opens what runs them. */
export async function offerTools(
  { script, mcp }: OfferDeps,
  { tools: functions = [], mcpServers = [] }: Pick<ModelAsk, "tools" | "mcpServers">,
  context: CallContext,
): Promise<OfferedTools | Failure> {
  const run = createRunFunction(script, context)
  const tools: Runnable[] = functions.map((tool) => ({ ...tool, run: (args) => run(tool, args) }))
  const servers: McpServer[] = []
  const offered = {
    tools,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
  const call = createCallTool(context)
  for (const asked of mcpServers) {
    const server = await mcp.open(asked.credential, context, maxMs)
    if (!isFailure(server)) servers.push(server)
    const problem = isFailure(server) ? server : await addTools(tools, { server, asked, call })
    if (!problem) continue
    await offered.close()
    return problem
  }
  return offered
}

type Adding = { server: McpServer; asked: McpServerAsk; call: ReturnType<typeof createCallTool> }

/** Adds the chosen tools of a server, or returns why they cannot be offered. */
async function addTools(
  tools: Runnable[],
  { server, asked, call }: Adding,
): Promise<Failure | undefined> {
  const listed = await server.tools()
  if (isFailure(listed)) return listed
  const names = new Set(tools.map(({ name }) => name))
  for (const { name, description, inputSchema } of listed) {
    if (asked.tools && !asked.tools.includes(name)) continue
    const free = freeName(name, names)
    names.add(free)
    tools.push({
      name: free,
      ...(description && { description }),
      parameters: inputSchema,
      run: (args) => call(name, args, server),
    })
  }
  if (tools.length <= maxTools && JSON.stringify(tools).length <= maxCharacters) return undefined
  const details = `Choose some: at most ${maxTools} with ${maxCharacters} characters are offered.`
  return failed("The model would be offered too many tools", { details, isInternal: true })
}

/** The name in characters and a length that all providers take, with a number if it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^\w-]/g, "_")
  const numbered = (number: number) => {
    const end = number === 1 ? "" : `_${number}`
    return plain.slice(0, maxNameLength - end.length) + end
  }
  let number = 1
  while (taken.has(numbered(number))) number++
  return numbered(number)
}

const maxNameLength = 64

function createCallTool(context: CallContext) {
  let calls = 0
  return async (
    tool: string,
    args: Record<string, unknown>,
    server: McpServer,
  ): Promise<ToolRun> => {
    if (++calls > maxCalls) return { text: "No more tools can be called" }
    if (JSON.stringify(args).length > maxArguments) return { text: "The arguments are too long" }
    const startedAt = performance.now()
    const result = await inSpan({ name: "call mcpTool" }, () => server.call(tool, args))
    const outcome: ToolUse["outcome"] = isFailure(result) || result.isError ? "failed" : "ok"
    context.noteTool?.({ tool, outcome, ms: performance.now() - startedAt })
    return { text: cut(wordsOf(result), maxResult) }
  }
}

function wordsOf(result: McpResult | Failure): string {
  if (isFailure(result)) return `The tool failed: ${result.description}`
  const { text, data, isError } = result
  if (isError) return `The tool failed: ${text}`
  return text === "" && data !== undefined ? JSON.stringify(data) : text
}

function createRunFunction(script: Performer<"script">, context: CallContext) {
  let runs = 0
  return async (tool: ModelTool, args: Record<string, unknown>): Promise<ToolRun> => {
    // A function may be called twice with the same arguments on purpose.
    const idempotencyKey = `${context.idempotencyKey}-run${++runs}`
    // Variables win: visitors talk to the model, which may give arguments of any name.
    const run = { ...tool.script, globals: { ...args, ...tool.script.globals } }
    const call: Call<"script"> = { kind: "script", scripts: [run] }
    const outcome = await script(call, { ...context, idempotencyKey })
    const result = isFailure(outcome) ? outcome : outcome.results[0]
    if (!result) return { text: "" }
    if (isFailure(result)) return { text: `The function failed: ${result.description}` }
    return { text: printValue(result.value), assigned: result.assigned }
  }
}

function printValue(value: unknown): string {
  if (value === undefined || value === null) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}
