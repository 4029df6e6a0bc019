/** Inputs that contain a bot. */
import { TRPCError } from "@trpc/server"
import { z } from "zod"
import type { Validation } from "../../authoring/upgrade/validateFlow.ts"

/**
 * The same schema, with the member `bot` validated by `read`, which stops at the number of issues that
 * are reported.
 */
export function botInput<Shape extends { bot: z.ZodType }>(
  schema: z.ZodObject<Shape>,
  read: (raw: unknown) => Validation<z.output<Shape["bot"]>>,
): z.ZodObject<Shape> {
  const others = schema.extend({ bot: z.unknown().optional() })
  const copy = schema.clone()
  const parse = (raw: unknown): unknown => {
    const input = others.safeParse(raw)
    const [name, sent] = memberBot(raw)
    const bot = read(sent)
    if (input.success && bot.success) return { ...input.data, bot: bot.data }
    const inBot = bot.success ? [] : bot.error.issues
    throw new z.ZodRealError([
      ...(input.error?.issues ?? []),
      ...inBot.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
    ])
  }
  copy.parse = parse as typeof copy.parse
  copy.parseAsync = (async (raw: unknown) => parse(raw)) as typeof copy.parseAsync
  return copy
}

/**
 * The same schema, with the member `bot` as it was sent, to be validated by `readMember`: for procedures
 * that authenticate the caller first.
 */
export function unreadBot<Shape extends { bot: z.ZodType }>(
  schema: z.ZodObject<Shape>,
): z.ZodType<Omit<z.output<typeof schema>, "bot"> & { bot?: unknown }, z.input<typeof schema>> {
  const others = schema.extend({ bot: z.unknown().optional() })
  const copy = schema.clone()
  copy.parse = ((raw: unknown) => others.parse(raw)) as unknown as typeof copy.parse
  copy.parseAsync = (async (raw: unknown) => others.parse(raw)) as unknown as typeof copy.parseAsync
  return copy as never
}

/** Validates the member `bot` of an input; refuses it as its schema would. */
export function readMember<Bot>(raw: unknown, read: (raw: unknown) => Validation<Bot>): Bot {
  const bot = read(raw)
  if (bot.success) return bot.data
  const issues = bot.error.issues.map((issue) => ({ ...issue, path: ["bot", ...issue.path] }))
  throw new TRPCError({ code: "BAD_REQUEST", cause: new z.ZodRealError(issues) })
}

/** The bot, after the name it was sent under: existing clients know the member by another one. */
function memberBot(raw: unknown): [name: string, bot: unknown] {
  const { bot, typebot } = (raw ?? {}) as { bot?: unknown; typebot?: unknown }
  return bot == null && typebot !== undefined ? ["typebot", typebot] : ["bot", bot ?? undefined]
}
