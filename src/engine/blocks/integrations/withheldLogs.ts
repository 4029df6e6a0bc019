/** Descriptions of logs that live chats never show, because their details are for authors alone. */

export const httpSucceeded = "HTTP request answered"
export const httpFailed = "HTTP request failed"
export const mailSent = "Mail sent"
export const mailFailed = "Mail not sent"
export const credentialKept = "The account is not used for this address"

/** Every one of them. */
export const withheldDescriptions: ReadonlySet<string> = new Set([
  httpSucceeded,
  httpFailed,
  mailSent,
  mailFailed,
  credentialKept,
])
