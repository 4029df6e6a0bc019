/** How queries name results. */

/** A result, and the bot whose it must be. */
export type ResultAddress = { botId: string; resultId: string }

/** Results from one id on and before another. */
export type ResultRange = { fromId: string; beforeId: string }
