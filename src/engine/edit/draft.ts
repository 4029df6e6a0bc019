/** What edits change: the flow of a bot, and what its authors set of the bot itself. */
import type { Flow } from "../bot.ts"
import type { BotMembers } from "../schema/botMembers.ts"

/**
 * A draft. Ids are unique within groups, blocks, edges, variables and events; edits of a draft in which
 * one appears twice mean the first. Themes and settings hold no null.
 */
export type Draft = Flow & BotMembers
