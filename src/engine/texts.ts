/** What a chat says where the author wrote nothing. */

export const texts = {
  invalidMessage: "That answer is not valid. Please try again.",
  invalidEmail: "This does not look like an email address. Could you type it again?",
  paymentFailed: "The payment did not go through. Please try again.",
  paymentImpossible: "Payment is not possible right now.",
  paymentUnchecked: "Your payment could not be confirmed yet. You do not have to pay again.",
  tryAgain: "Try again",
  botClosed: "This bot is closed.",
} as const
