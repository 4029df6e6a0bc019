/** Runs another bot, or another part of this one, in the middle of a chat. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const botIdOption = optional.text('Id of the bot, or "current" for this one')

const entryOptions = {
  groupId: optional.text(
    "Group to enter, or one {{variable}} that holds its title; absent: the start",
  ),
  mergeResults: optional.flag(
    "Whether answers and variables join those of this chat; default false from version 6",
  ),
}

/** The link as exports spell it. */
export const typebotLinkBlockSchema = blockSchemaOf(
  "Typebot link",
  "Link to a bot, as older flows spell it",
  {
    options: optional.object("Which bot, and how its results are kept", {
      typebotId: botIdOption,
      ...entryOptions,
    }),
  },
).meta({ id: "TypebotLinkBlock", description: "Runs another bot and comes back" })

/** The same link as flows written for this service spell it. */
export const botLinkBlockSchema = blockSchemaOf("Bot link", "Link to a bot", {
  options: optional.object("Which bot, and how its results are kept", {
    botId: botIdOption,
    ...entryOptions,
  }),
}).meta({ id: "BotLinkBlock", description: "Runs another bot and comes back" })

export type TypebotLinkBlock = z.infer<typeof typebotLinkBlockSchema>
export type BotLinkBlock = z.infer<typeof botLinkBlockSchema>
