/** Starts a preview of a flow that comes with the request, or of the stored draft. */
import { z } from "zod"
import { startPreview } from "../../chat/startPreview.ts"
import { type BotFacts, findBot } from "../../db/bots.ts"
import type { Flow } from "../../engine/bot.ts"
import { importedBotSchema, readImport, sentFlow } from "../../engine/upgrade/importedBot.ts"
import { readFlow } from "../../engine/upgrade/readFlow.ts"
import { callerLeft, notFound, unauthorized } from "../../errors.ts"
import { inSlices } from "../../slices.ts"
import { collaborationMode, isEditor } from "../access.ts"
import { readMember, unreadBot } from "../bot/botInput.ts"
import type { Context } from "../context.ts"
import { plainInput } from "../plainInput.ts"
import { publicProcedure, refusedToken, trusted } from "../trpc.ts"
import { observed } from "./observe.ts"
import { admitPrefilled } from "./prefilled.ts"
import {
  chatStepShape,
  messageOf,
  runtimeBotSchema,
  sessionIdSchema,
  startShape,
} from "./schema.ts"

const startFromSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("group").describe("At a group"),
      groupId: z.string().describe("Group whose first block runs first"),
    }),
    z.object({
      type: z.literal("event").describe("At an event"),
      eventId: z.string().describe("Event whose edge is followed"),
    }),
  ])
  .meta({ id: "StartFrom", description: "Where to begin instead of the start" })

const inputSchema = z.object({
  botId: z.string().describe("Id of the bot; it need not exist when a flow is sent"),
  bot: importedBotSchema.optional().describe("The flow to preview; absent: the stored draft"),
  startFrom: startFromSchema.optional(),
  sessionId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Up to 64 letters, digits, hyphens and underscores")
    .optional()
    .describe("Session id to use; an earlier preview of the same caller under it is replaced"),
  isProgressBarEnabled: z.boolean().optional().describe("Overrides the theme's progress bar"),
  ...startShape,
})

const outputSchema = z
  .object({ sessionId: sessionIdSchema, bot: runtimeBotSchema, ...chatStepShape })
  .meta({ id: "StartedPreview", description: "A new preview and its first step" })

type Owner = { userId: string; workspaceId: string }

export const startPreviewProcedure = publicProcedure
  .meta({
    maxBodyBytes: 4 * 1024 * 1024,
    openapi: {
      method: "POST",
      path: "/api/v1/bots/{botId}/preview/startChat",
      operationId: "startPreviewChat",
      tags: ["Chat"],
      protect: false,
      errorResponses: [401, 408, 409],
      summary: "Start a preview chat",
      description:
        "Runs the flow in the request, or the stored draft. Nothing is stored in results. Without a token that may open the bot, the preview is locked: no credentials, no linked bots, no outgoing requests. A service with `PARLEY_ANONYMOUS_PREVIEW=deny` answers 401 when there is no valid token at all.",
    },
  })
  .input(plainInput(unreadBot(inputSchema)))
  .output(trusted(outputSchema))
  .mutation(async ({ ctx, input: sent }) => {
    await requireToken(ctx)
    await admitPrefilled(ctx, sent.prefilledVariables)
    const bot = sent.bot === undefined ? undefined : await readMember(sent.bot, readImport)
    const input = { ...sent, bot }
    const { flow, owner } = await flowToPreview(ctx, input)
    if (!owner) await ctx.limit("anonymousPreview", ctx.ip)
    if (ctx.hasLeft?.()) throw callerLeft()
    const request = {
      ...input,
      flow,
      owner,
      message: messageOf(input.message),
      prefilledVariables: input.prefilledVariables ?? undefined,
      textFormat: input.textBubbleContentFormat,
      hasLeft: ctx.hasLeft,
    }
    return observed(ctx, "preview", (chat) => startPreview(chat, request))
  })

/** Where strangers may not even run what is locked, nothing of theirs is read. */
async function requireToken(ctx: Context): Promise<void> {
  if (ctx.settings.allowsAnonymousPreview ?? true) return
  if (!(await ctx.authenticate())) {
    throw await refusedToken(ctx, "A preview needs a valid API token on this service")
  }
}

/** The flow, and its owner when the caller proves to be one. */
async function flowToPreview(
  ctx: Context,
  input: z.infer<typeof inputSchema>,
): Promise<{ flow: Flow; owner?: Owner }> {
  const { bot, botId } = input
  const caller = await ctx.authenticate()
  const draft = caller && (await findBot(ctx.db, { botId, userId: caller.id }))
  const owner =
    caller && draft && mayPreview(draft)
      ? { userId: caller.id, workspaceId: draft.workspaceId }
      : undefined
  if (bot) return { flow: sentFlow(bot), ...(owner ? { owner } : {}) }
  if (!caller) throw unauthorized()
  if (!draft || !owner) throw notFound("Bot")
  return { flow: await inSlices(readFlow(draft)), owner }
}

/** Everybody with a role of their own; public sharing and the operator's role open no previews. */
function mayPreview(facts: BotFacts): boolean {
  return !facts.isBlocked && (isEditor(facts) || collaborationMode(facts) !== undefined)
}
