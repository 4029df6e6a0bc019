/** Every text that a chat shows when the author wrote none. */

export const texts = {
  invalidMessage: "That answer is not valid. Please try again.",
  invalidEmail: "This does not look like an email address. Could you type it again?",
  paymentFailed: "The payment did not go through. Please try again.",
  botClosed: "This bot is closed.",
  fileUploadError: "The files could not be uploaded.",
  fileUploadSizeError: "[[file]] is larger than [[limit]] MB.",
  popupBlockedTitle: "Pop-up blocked",
  popupBlockedDescription: "The bot wants to open a new tab. Your browser did not allow it.",
  popupBlockedButtonLabel: "Continue in new tab",
  networkErrorTitle: "Connection problem",
  networkErrorMessage: "Please check your connection and try again.",
  whatsAppPictureChoiceSelectLabel: "Select",
} as const
