/** Reads inputs that contain a bot. */
import { z } from "zod"
import type { Finding } from "../../authoring/lint/finding.ts"
import { findUnknownMembers } from "../../authoring/lint/lint.ts"
import type { Validation } from "../../authoring/upgrade/validateFlow.ts"

/**
 * Reads the input of `schema` with its member `bot` validated by `readBot`, which stops at the number
 * of issues that are reported. Throws a ZodError with the issues of all members.
 */
export function readBotInput<Shape extends { bot: z.ZodType }>(
  schema: z.ZodObject<Shape>,
  readBot: (sent: unknown) => Validation<z.output<Shape["bot"]>>,
): (sent: unknown) => z.output<typeof schema> {
  const others = schema.extend({ bot: z.unknown().optional() })
  return (sent) => {
    const input = others.safeParse(sent)
    const [name, sentBot] = botMember(sent)
    const bot = readBot(sentBot)
    if (input.success && bot.success) {
      sentAs.set(bot.data as object, sentBot)
      return { ...input.data, bot: bot.data } as z.output<typeof schema>
    }
    const inBot = bot.success ? [] : bot.error.issues
    throw new z.ZodRealError([
      ...(input.error?.issues ?? []),
      ...inBot.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
    ])
  }
}

/** The bots as sent, by the bots as read. */
const sentAs = new WeakMap<object, unknown>()

/** The members of a bot of a caller that were dropped, as the member `warnings` of an answer. */
export function droppedFrom(bot: object): Finding[] {
  return findUnknownMembers(sentAs.get(bot), bot)
}

/** The bot, after the name it was sent under: clients of Typebot know the member by another one. */
function botMember(sent: unknown): [name: string, bot: unknown] {
  const { bot, typebot } = (sent ?? {}) as { bot?: unknown; typebot?: unknown }
  return bot == null && typebot !== undefined ? ["typebot", typebot] : ["bot", bot ?? undefined]
}
