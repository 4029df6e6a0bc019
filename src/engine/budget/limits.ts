/** How much one call of a chat may do before it is refused. */

export type Limits = {
  /** Units of work, `fuel.ts`: ten of them are about a microsecond. */
  fuel: number
}

/** Live chats, and previews by strangers: about 50 ms. */
export const liveLimits: Limits = { fuel: 500_000 }

/** Previews by members, who want to see what a live chat would refuse: about 125 ms. */
export const previewLimits: Limits = { fuel: 1_250_000 }

/** The limits of a chat; `isRestricted`: a stranger's preview. */
export function limitsOf(chat: { isPreview: boolean; isRestricted?: boolean | undefined }): Limits {
  return chat.isPreview && !chat.isRestricted ? previewLimits : liveLimits
}

/** Most that one call prints, in characters of JSON: messages, input, actions, theme and logs. */
export const maxPrinted = 2_000_000

/** Largest question to the outside world, in characters of JSON; scripts only cost fuel. */
export const maxCallLength = 5_000_000

/** Bots that may wait for linked bots at once; a link beyond that fails. */
export const maxWaitingBots = 100

/** Largest session state, in characters of JSON. */
export const maxStateLength = 1_000_000

/** Longest `description` and `details` of a log, in characters. */
export const maxLogDetails = 1_000
