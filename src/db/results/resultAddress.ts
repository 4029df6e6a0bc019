/** How queries name results. */

/** A result, and the bot that must own it. */
export type ResultAddress = { botId: string; resultId: string }

/** A result, and the last chat that wrote to it. */
export type ResultOfChat = ResultAddress & { lastChatSessionId: string | null }

/** Results from one id on and before another. */
export type ResultRange = { fromId: string; beforeId: string }
