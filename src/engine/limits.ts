/** How much one call of a chat may do before it is stopped. */

export type Limits = {
  /** Blocks executed in one call. */
  blocks: number
  /** Milliseconds between two waits for the outside world. */
  flowMs: number
}

/** Live chats and authorised previews. */
export const liveLimits: Limits = { blocks: 10_000, flowMs: 30_000 }

/** Previews by callers we do not know. */
export const anonymousLimits: Limits = { blocks: 1_000, flowMs: 2_000 }

/** Bots that may wait for linked bots at once; a link beyond that fails. */
export const maxWaitingBots = 100

/** Largest session state, in characters of JSON. */
export const maxStateLength = 1_000_000

/** Longest `details` of a log, in characters. */
export const maxLogDetails = 1_000
