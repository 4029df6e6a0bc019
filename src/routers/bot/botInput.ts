/** Inputs with a bot in them, which may be large. */
import { z } from "zod"
import type { Steps } from "../../engine/steps.ts"
import type { Validation } from "../../engine/upgrade/validateFlow.ts"
import { inSlices } from "../../slices.ts"

/**
 * The same schema for an input whose member `bot` is validated by `read`, in slices: with the
 * schema itself a bot of 4 MB would keep everybody waiting.
 */
export function botInput<Shape extends { bot: z.ZodType }>(
  schema: z.ZodObject<Shape>,
  read: (raw: unknown) => Steps<Validation<z.output<Shape["bot"]>>>,
): z.ZodObject<Shape> {
  const others = schema.extend({ bot: z.unknown().optional() })
  const copy = schema.clone()
  const parse = async (raw: unknown): Promise<unknown> => {
    const input = others.safeParse(raw)
    const bot = await inSlices(read(memberBot(raw)))
    if (input.success && bot.success) return { ...input.data, bot: bot.data }
    const inBot = bot.success ? [] : bot.error.issues
    throw new z.ZodRealError([
      ...(input.error?.issues ?? []),
      ...inBot.map((issue) => ({ ...issue, path: ["bot", ...issue.path] })),
    ])
  }
  // Procedures wait for whatever the first of the two returns.
  copy.parse = parse as unknown as typeof copy.parse
  copy.parseAsync = parse as typeof copy.parseAsync
  return copy
}

function memberBot(raw: unknown): unknown {
  return typeof raw === "object" && raw !== null && "bot" in raw ? raw.bot : undefined
}
