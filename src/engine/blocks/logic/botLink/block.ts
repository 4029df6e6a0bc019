/** Runs another bot; the block has two names in flows. */
import type { z } from "zod"
import { isFailure } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import type { Action, BlockBase, BlockContext, LinkTarget, Step } from "../../block.ts"
import { blockSchemaOf } from "../../defineBlock.ts"

const botIdOption = optional.hinted('Id of the bot, or "current" for this one', { refersTo: "bot" })

const entryOptions = {
  groupId: optional.hinted(
    "Group to enter, or one {{variable}} that holds its title; absent: the start",
    { refersTo: "group", template: true },
  ),
  mergeResults: optional.flag(
    "Whether answers and variables join those of this chat; default false from version 6",
  ),
}

/** The link as exports spell it. */
const typebotLinkBlockSchema = blockSchemaOf("Typebot link", {
  options: optional.object("Which bot, and how its results are kept", {
    typebotId: botIdOption,
    ...entryOptions,
  }),
}).meta({ id: "TypebotLinkBlock" })

/** The same link as flows written for this service spell it. */
const botLinkBlockSchema = blockSchemaOf("Bot link", {
  options: optional.object("Which bot, and how its results are kept", {
    botId: botIdOption,
    ...entryOptions,
  }),
}).meta({ id: "BotLinkBlock" })

type TypebotLinkBlock = z.infer<typeof typebotLinkBlockSchema>
export type BotLinkBlock = z.infer<typeof botLinkBlockSchema>

type Options = { groupId?: string | undefined; mergeResults?: boolean | undefined } | undefined

const catalogue = {
  label: "Bot link",
  description: "Runs another bot, or another group of this one, and comes back",
  category: "logic",
  icon: "bot",
} as const

export const typebotLinkBlock = link<TypebotLinkBlock>(
  typebotLinkBlockSchema,
  (block) => block.options?.typebotId,
  { ...catalogue, label: "Old bot link", isLegacy: true },
)

export const botLinkBlock = link<BotLinkBlock>(
  botLinkBlockSchema,
  (block) => block.options?.botId,
  catalogue,
)

function link<B extends BlockBase & { options?: Options }>(
  schema: z.ZodType<B, B>,
  botIdOf: (block: B) => string | undefined,
  catalogue: Action<B>["catalogue"],
): Action<B, "bot"> {
  return {
    kind: "action",
    schema,
    catalogue,
    staticTarget: (block) => {
      const botId = botIdOf(block)
      return botId ? { at: ["options"], botId, groupId: block.options?.groupId } : undefined
    },
    problems: (block) =>
      botIdOf(block)
        ? []
        : [{ rule: "missing-jump-target", at: [], message: "No bot to run was chosen" }],
    run: (block, context) => {
      const botId = botIdOf(block)
      if (!botId) return failed("No bot was chosen")
      if (botId === "current") return enter(entryOf(block.options, context))
      return { next: { call: { kind: "bot", botId } } }
    },
    resume: {
      bot: (block, outcome, context) => {
        if (isFailure(outcome)) return failed(outcome.details ?? outcome.description)
        return enter({ version: outcome.version, ...entryOf(block.options, context) })
      },
    },
  }
}

function entryOf(options: Options, context: BlockContext): LinkTarget {
  const { groupId, mergeResults } = options ?? {}
  const mergesResults = mergeResults ?? context.chat.mergesLinks
  if (!groupId) return { mergesResults }
  if (singleToken(groupId) === undefined) return { groupId, mergesResults }
  return { groupTitle: interpolate(groupId, context), mergesResults }
}

const enter = (target: LinkTarget): Step<"bot"> => ({ next: { enter: target } })

// Without `next` the chat skips the link: along its edge, else to the next block.
const failed = (details: string): Step<"bot"> => ({
  log: [{ status: "error", description: "Failed to link to the bot", details }],
})
