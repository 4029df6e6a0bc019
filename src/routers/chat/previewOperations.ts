/** Previews of the flow in the request, or of the stored draft: start and back. */
import { TRPCError } from "@trpc/server"
import { z } from "zod"
import {
  type ImportedBot,
  importedBotSchema,
  readImport,
  sentFlow,
} from "../../authoring/upgrade/importedBot.ts"
import { readFlow } from "../../authoring/upgrade/validateFlow.ts"
import { goBack } from "../../chat/previews/goBack.ts"
import { startPreview } from "../../chat/startPreview.ts"
import { type BotFacts, findBot, findBotFacts } from "../../db/bots/bots.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { callerLeft, forbidden, notFound } from "../../lib/errors.ts"
import { collaborationMode, isEditor, requireBot } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { reaches, requireScope } from "../../people/grants.ts"
import { type Context, limitAddress } from "../context.ts"
import { exampleFlow, exampleIds, exampleQuestion } from "../examples.ts"
import { botIdSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { optionalCaller, publicOperation, refusedToken, tokenOperation } from "../trpc.ts"
import { chatStepSchema, chatStepShape, runtimeBotSchema, startShape } from "./chatSchemas.ts"
import { observed, turnRequestOf } from "./observeTurn.ts"
import { admitPrefilled } from "./prefilled.ts"
import {
  onlyWithToken as onlyTracedWithToken,
  previewTraceSchema,
  traceFlagSchema,
} from "./previewTrace.ts"

const startFromSchema = z
  .discriminatedUnion("type", [
    namedObject("StartFromGroup", "Begins at a group", {
      type: z.literal("group").describe("At a group"),
      groupId: z.string().max(255).describe("Group whose first block runs first"),
    }),
    namedObject("StartFromBlock", "Begins at a block", {
      type: z.literal("block").describe("At a block"),
      blockId: z.string().max(255).describe("Block that runs first"),
    }),
    namedObject("StartFromEvent", "Begins at an event", {
      type: z.literal("event").describe("At an event"),
      eventId: z.string().max(255).describe("Event whose edge is followed"),
    }),
  ])
  .meta({ id: "StartFrom", description: "Where to begin instead of the start" })

const inputSchema = z.object({
  botId: z.string().max(255).describe("Id of the bot; it need not exist when a flow is sent"),
  bot: importedBotSchema
    .optional()
    .describe("The flow to preview, required without an API token; absent: the stored draft"),
  startFrom: startFromSchema.optional(),
  sessionId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must have 1 to 64 letters, digits, hyphens and underscores")
    .optional()
    .describe(
      "With at least 20 characters the session id of the preview, which replaces an earlier one of the same caller; 409: the preview of another caller has this id. Choose it at random: anyone who knows it can continue the preview. What is shorter is a name of the caller's own: continue with the session id of the response. A caller is the owner of the token or, without one, the address",
    ),
  isProgressBarEnabled: z.boolean().optional().describe("Overrides the theme's progress bar"),
  trace: traceFlagSchema,
  ...startShape,
})

/** The flow is validated only after the caller was admitted. */
const unreadSchema = inputSchema.extend({ bot: z.unknown().optional() })

/** The owner of a preview with a role on its bot. */
type Previewer = { userId: string; workspaceId: string; mayWrite: boolean }

const onlyWithToken =
  "A preview of the stored draft needs an API token: send the header `Authorization: Bearer " +
  "parley_pat_…`, or a flow in the member `bot`"

const onlyStored =
  "Only those who may edit the bot may preview a flow sent in the request. Leave out the member " +
  "`bot` to preview the stored draft."

export const previews = {
  startPreview: publicOperation("POST /bots/{botId}/preview/startChat", {
    operationId: "startPreviewChat",
    takesKey: true,
    admits: ["flowPreviewers", "botReaders"],
    isTrusted: true,
    takesPlainInput: true,
    admitsCaller,
    readInput: (sent) => unreadSchema.parse(sent),
    inPath: ["botId"],
    tag: "Chat",
    summary: "Start a preview chat",
    description:
      "Runs the flow in the request, or the stored draft. Nothing is stored in results. The stored " +
      "draft needs a role on the bot, a flow in the request the right to edit it: 403 for readers, " +
      "404 for others. Without a token the preview is locked: no credentials, " +
      "no linked bots, no outgoing requests. A service with `PARLEY_ANONYMOUS_PREVIEW=deny` answers " +
      "401 without a valid token. With an `Idempotency-Key` header, a repeated request gets the " +
      "first response.",
    maxBodyBytes: 4 * 1024 * 1024,
    takesToken: true,
    scope: "bots:write",
    example: {
      request: { bot: exampleFlow, startFrom: { type: "group", groupId: "g1" } },
      response: {
        sessionId: "pT8ZrX2mVb4NcK1LpW7yDsQ0aEfGh",
        bot: { id: exampleIds.botId, version: "6.1", theme: {}, settings: {} },
        ...exampleQuestion,
      },
    },
    input: inputSchema,
    output: namedObject("StartedPreview", "A new preview and its first step", {
      sessionId: sessionIdSchema,
      bot: runtimeBotSchema,
      ...chatStepSchema.shape,
    }),
  }).mutation(async ({ ctx, input: sent }) => {
    await limitFlows(ctx, sent)
    if (sent.prefilledVariables) await admitPrefilled(ctx, sent.prefilledVariables)
    const bot = sent.bot === undefined ? undefined : readBot(sent.bot)
    const input = { ...sent, bot }
    const { flow, owner } = await flowToPreview(ctx, input)
    if (!owner && sent.trace) throw await refusedToken(ctx, onlyTracedWithToken)
    if (ctx.hasLeft?.()) throw callerLeft()
    const request = {
      ...input,
      ...turnRequestOf(ctx, sent),
      flow,
      owner,
      insight: owner && sent.trace ? { showsSession: owner.mayWrite } : undefined,
      address: ctx.ip,
      language: input.language ?? undefined,
      prefilledVariables: input.prefilledVariables ?? undefined,
    }
    return observed(ctx, "preview", (chat) => startPreview(chat, request))
  }),

  previewBack: tokenOperation("POST /bots/{botId}/preview/{sessionId}/back", {
    operationId: "goBackInPreview",
    admits: "botReaders",
    tag: "Bots",
    isAudited: false,
    isTrusted: true,
    errorResponses: [409],
    summary: "Go back in a preview",
    description:
      "Returns to the state before the last answer, so that the question can be answered again. Only the caller who began the preview may do this, with a token. The last 50 states are kept, as far as they take no more than 2 MB. Waits for a turn that is under way. What blocks did outside, such as requests and mails, stays done.",
    example: { response: { input: exampleQuestion.input, turn: 1, variables: [] } },
    input: { botId: botIdSchema, sessionId: sessionIdSchema },
    output: namedObject("PreviewStepBack", "Where a preview is again", {
      input: chatStepShape.input.describe("The question that waits for another answer"),
      dynamicTheme: chatStepShape.dynamicTheme,
      progress: chatStepShape.progress,
      turn: z
        .int()
        .describe("Number of the turn that asked, as its trace has it; what came later is undone"),
      variables: previewTraceSchema.shape.variables.describe(
        "The variables that have a value again",
      ),
    }),
  }).mutation(async ({ ctx, input: { botId, sessionId } }) => {
    const { mode, workspaceId } = await requireBot(ctx, botId, "read")
    return await goBack(ctx.chat, {
      botId,
      sessionId,
      workspaceId,
      userId: ctx.user.id,
      showsSession: mode === "write",
      hasLeft: ctx.hasLeft,
    })
  }),
}

/** Refuses strangers, where only members preview, before anything of their request is read. */
async function admitsCaller(ctx: Context): Promise<void> {
  // Visitors of a domain see what is published.
  if (ctx.onlyBots !== undefined) throw notFound("Bot")
  if (ctx.settings.allowsAnonymousPreview !== false || (await optionalCaller(ctx))) return
  throw await refusedToken(ctx, "A preview needs a valid API token on this service")
}

/** Refuses too many flows of strangers before a flow is validated, which may cost more than to run it. */
async function limitFlows(ctx: Context, { bot }: { bot?: unknown }): Promise<void> {
  if (bot !== undefined && !(await optionalCaller(ctx))) await limitAddress(ctx, "anonymousPreview")
}

function readBot(sent: unknown): ImportedBot {
  const bot = readImport(sent)
  if (bot.success) return bot.data
  const issues = bot.error.issues.map((issue) => ({ ...issue, path: ["bot", ...issue.path] }))
  throw new TRPCError({ code: "BAD_REQUEST", cause: new z.ZodRealError(issues) })
}

/** The flow, and its owner unless the caller is anonymous. */
async function flowToPreview(ctx: Context, { bot, botId }: z.infer<typeof inputSchema>) {
  const caller = await optionalCaller(ctx)
  if (bot && !caller) return { flow: sentFlow(bot) }
  if (!caller) {
    throw await refusedToken(ctx, ctx.authorization === undefined ? onlyWithToken : undefined)
  }
  requireScope(caller, "bots:write")
  const request = { botId, userId: caller.id }
  if (bot) {
    const owner = admitToPreview(await findBotFacts(ctx.db, request), caller)
    if (!owner.mayWrite) throw forbidden(onlyStored)
    return { flow: sentFlow(bot), owner }
  }
  const draft = await findBot(ctx.db, request)
  const owner = admitToPreview(draft, caller)
  if (!draft) throw notFound("Bot")
  return { flow: readFlow(draft), owner }
}

/**
 * Admits users with a role on the bot to its previews. Throws a 404 for others: neither public
 * sharing nor being a platform admin is enough.
 */
function admitToPreview(facts: BotFacts | undefined, caller: Caller): Previewer {
  const mode = facts && (isEditor(facts) ? "write" : collaborationMode(facts))
  if (!facts || !mode || facts.isBlocked || facts.isInBin) throw notFound("Bot")
  if (!reaches(caller, { workspaceId: facts.workspaceId, botId: facts.id })) throw notFound("Bot")
  const mayWrite = mode === "write" && !facts.isArchived
  return { userId: caller.id, workspaceId: facts.workspaceId, mayWrite }
}
