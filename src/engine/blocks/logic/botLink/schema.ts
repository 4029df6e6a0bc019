/** Runs another bot, or another part of this one, in the middle of a chat. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const botIdOption = z.string().optional().describe('Id of the bot, or "current" for this one')

const entryOptions = {
  groupId: z
    .string()
    .optional()
    .describe("Group to enter, or one {{variable}} that holds its title; absent: the start"),
  mergeResults: z
    .boolean()
    .optional()
    .describe(
      "Whether answers and variables join those of this chat; default false from version 6",
    ),
}

/** The link as exports spell it. */
export const typebotLinkBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Typebot link").describe("Link to a bot, as older flows spell it"),
    options: z
      .object({ typebotId: botIdOption, ...entryOptions })
      .optional()
      .describe("Which bot, and how its results are kept"),
  })
  .meta({ id: "TypebotLinkBlock", description: "Runs another bot and comes back" })

/** The same link as flows written for this service spell it. */
export const botLinkBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Bot link").describe("Link to a bot"),
    options: z
      .object({ botId: botIdOption, ...entryOptions })
      .optional()
      .describe("Which bot, and how its results are kept"),
  })
  .meta({ id: "BotLinkBlock", description: "Runs another bot and comes back" })

export type TypebotLinkBlock = z.infer<typeof typebotLinkBlockSchema>
export type BotLinkBlock = z.infer<typeof botLinkBlockSchema>
