/** What a chat says where the author wrote nothing. */

export const texts = {
  invalidMessage: "That answer is not valid. Please try again.",
  invalidEmail: "This does not look like an email address. Could you type it again?",
  paymentFailed: "The payment did not go through. Please try again.",
  botClosed: "This bot is closed.",
} as const
