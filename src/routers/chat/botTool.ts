/** A published bot as a tool of assistants: what it takes, and one call of it. */
import { TRPCError } from "@trpc/server"
import { z } from "zod"
import { type ToolVariable, toolVariables } from "../../authoring/types/toolVariables.ts"
import { requireTool, type ToolOutcome } from "../../chat/publishedTool.ts"
import { offersOf, samplesOf, typeOf } from "../../engine/blocks/registry.ts"
import type { ChatInput } from "../../engine/chatInput.ts"
import type { ChatMessage, ClientAction } from "../../engine/payload.ts"
import { escapeAddress, escapeText } from "../../engine/richText/escapeMarkdown.ts"
import { mapOf } from "../../engine/schema/lists.ts"
import { maxTextLength } from "../../engine/schema/message.ts"
import { AppError, badRequest } from "../../lib/errors.ts"
import type { Context } from "../context.ts"
import { sessionIdSchema } from "../sharedSchemas.ts"
import { continueVisitorChat } from "./continue.ts"
import { startVisitorChat } from "./start.ts"

/** A bot as assistants see it. */
export type BotTool = {
  publicId: string
  botId: string
  name: string
  /** Absent: its author wrote none. */
  description?: string | undefined
  variables: readonly ToolVariable[]
}

/** What a call returns. */
export type ToolAnswer = {
  state: ToolOutcome["state"]
  /** Continues the chat; absent: it is over. */
  sessionId?: string
  /** What the bot said, as Markdown. */
  said: string
  /** What it asks; absent: nothing. */
  question?: ToolQuestion
  /** Absent: the chat goes on. */
  answers?: Record<string, string>
  variables?: Record<string, unknown>
}

/** A question: its kind, and replies that it accepts. */
export type ToolQuestion = {
  type: string
  choices?: { reply: string; label: string; details?: string[] }[]
  /** Whether one reply may name several choices. */
  takesSeveral?: true
  /** A reply that it accepts; absent: it has choices, or none can be typed. */
  example?: string
}

/** Far above what flows ask at once. */
const maxChoices = 100

/** Max turns of one call: the bot goes on without what a page would do. */
const maxTurns = 5

const callSchema = z.object({
  variables: mapOf(z.string(), z.unknown(), 200).nullish(),
  sessionId: sessionIdSchema.nullish(),
  reply: z.string().max(maxTextLength).nullish(),
})

/** The tool of a public id; refuses as `requireTool` does. */
export async function requireBotTool(ctx: Context, publicId: string): Promise<BotTool> {
  const { bot, name } = await requireTool(ctx.chat, publicId, ctx)
  const description = bot.flow.settings.general?.toolDescription?.trim() || undefined
  return { publicId, botId: bot.id, name, description, variables: toolVariables(bot) }
}

/** Starts a chat, or continues one, until the bot asks, waits for another system, or ends. */
export async function callBotTool(ctx: Context, tool: BotTool, sent: unknown): Promise<ToolAnswer> {
  const read = callSchema.safeParse(sent)
  if (!read.success) throw new TRPCError({ code: "BAD_REQUEST", cause: read.error })
  const deadline = performance.now() + ctx.chat.turnTimeoutMs
  const { sessionId, step: first } = await firstTurn(ctx, tool, read.data)
  const said = linesOf(first)
  let last: Step = first
  for (let turns = 1; turns < maxTurns && goesOnAlone(last); turns++) {
    if (performance.now() >= deadline || ctx.hasLeft?.()) break
    const next = await nextTurn(ctx, { tool, sessionId })
    if (!next) break
    last = next
    said.push(...linesOf(last))
  }
  const { outcome, input: asked } = last
  if (!outcome) throw new Error("A turn of a tool without its outcome")
  const { state, ...returned } = outcome
  return {
    state,
    ...(state !== "ended" && { sessionId }),
    said: said.join("\n\n"),
    ...(asked && { question: questionOf(asked) }),
    ...returned,
  }
}

type Call = z.infer<typeof callSchema>

type Step = Awaited<ReturnType<typeof continueVisitorChat>>

const format = { textBubbleContentFormat: "markdown" } as const

/** The turn that a call asks for. */
async function firstTurn(ctx: Context, tool: BotTool, { sessionId, reply, variables }: Call) {
  if (typeof sessionId === "string") {
    if (variables) throw badRequest("`variables` belong to the first call, without `sessionId`")
    return { sessionId, step: await turnOf(ctx, { tool, sessionId, message: reply }) }
  }
  requireVariables(tool, variables ?? {})
  if (typeof reply === "string") {
    throw badRequest("`reply` needs the `sessionId` of the question that it answers")
  }
  const whole = { isStreamEnabled: false, isOnlyRegistering: false }
  const input = { ...format, ...whole, publicId: tool.publicId, prefilledVariables: variables }
  const step = await startVisitorChat(ctx, input, { isForTool: true })
  return { sessionId: step.sessionId, step }
}

type Continued = { tool: BotTool; sessionId: string; message?: string | null | undefined }

function turnOf(ctx: Context, { tool, sessionId, message }: Continued): Promise<Step> {
  const only = { ofBot: tool.botId, isForTool: true } as const
  return continueVisitorChat(ctx, { ...format, sessionId, message }, only)
}

/** A turn without a message; undefined: it is refused, and the caller can ask for it again. */
async function nextTurn(ctx: Context, continued: Continued): Promise<Step | undefined> {
  try {
    return await turnOf(ctx, continued)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Refuses variables that the tool does not take, and a start without those that it needs. */
function requireVariables({ variables }: BotTool, given: Record<string, unknown>): void {
  const known = new Set(variables.map(({ name }) => name))
  const missing = variables.filter(({ name, isRequired }) => isRequired && isAbsent(given, name))
  const issues = [
    ...Object.keys(given).flatMap((name) => (known.has(name) ? [] : [[name, "is not known"]])),
    ...missing.map(({ name }) => [name, "is required"]),
  ].map(([name = "", message = ""]) => ({ message, path: ["variables", name], code: "custom" }))
  if (issues.length > 0) {
    throw badRequest("`variables` are not those of the tool: see its input schema", issues)
  }
}

function isAbsent(given: Record<string, unknown>, name: string): boolean {
  return !Object.hasOwn(given, name) || given[name] === null
}

/** Whether the bot waits for what only a page does, and goes on without. */
function goesOnAlone({ outcome, clientSideActions = [] }: Step): boolean {
  const waitsForCall = clientSideActions.some(({ type }) => type === "listenForWebhook")
  return outcome?.state === "waits" && !waitsForCall
}

/** Messages as Markdown, and the links of redirects; other actions are for pages. */
function linesOf({ messages, clientSideActions = [] }: Step): string[] {
  const linksAfter = (messageId: string | undefined) =>
    clientSideActions.flatMap((action) =>
      action.lastBubbleBlockId === messageId ? linkOfRedirect(action) : [],
    )
  const said = messages.flatMap((message) => [wordsOf(message), ...linksAfter(message.id)])
  return [...linksAfter(undefined), ...said].filter((line) => line.trim() !== "")
}

function linkOfRedirect(action: ClientAction): string[] {
  return action.type === "redirect" ? [linkTo("Open this page", action.redirect.url)] : []
}

function wordsOf({ type, content }: ChatMessage): string {
  // The turn was asked for in Markdown.
  if (type === "text") return content.type === "markdown" ? content.markdown.trim() : ""
  const address = "url" in content ? content.url : undefined
  if (type === "image") return linkTo(type, address).replace(/^(?=\[)/, "!")
  if (type !== "file") return linkTo(type, address)
  return [linkTo(content.name || type, address), content.caption].filter(Boolean).join("\n\n")
}

function linkTo(label: string, url: string | undefined): string {
  if (!url) return ""
  const text = escapeText(label, { isOpening: false, isNumbered: false, before: "[" })
  return `[${text}](${escapeAddress(url)})`
}

function questionOf(asked: ChatInput): ToolQuestion {
  const type = typeOf(asked)
  const name = type.kind === "input" ? type.replyName : asked.type
  const offers = offersOf(asked)
  if (!offers?.length) {
    const [fitting] = samplesOf(asked, []).fitting
    return { type: name, ...(fitting?.type === "text" && { example: fitting.text }) }
  }
  const choices = offers.slice(0, maxChoices).map(({ label, of, reply, details }) => {
    const shown = of === undefined ? label : `${of}: ${label}`
    return { reply, label: shown, ...(details.length > 0 && { details }) }
  })
  const takesSeveral = type.kind === "input" && type.labels?.(asked) !== undefined
  return { type: name, choices, ...(takesSeveral && { takesSeveral }) }
}
