/** The subject of edits: the flow of a bot, and members of the bot that its authors set. */
import type { Flow } from "../bot.ts"
import type { BotMembers } from "../schema/botMembers.ts"

/**
 * A draft. Ids are unique within groups, blocks, edges, variables and events; of duplicate ids, edits mean
 * the first. Themes and settings hold no null.
 */
export type Draft = Flow & BotMembers
