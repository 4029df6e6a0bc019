/** The script `/embed/on-demand.js`: what few chats need, loaded when one does. */
import { listenForWebhook } from "./actions/listenForWebhook.ts"
import { sendRequest } from "./actions/sendRequest.ts"
import { injectTrackers, sendToAnalytics, sendToPixel } from "./actions/trackers.ts"
import { runIsolated } from "./code/isolated.ts"
import { openPayment } from "./inputs/stripe.ts"
import { readMarkdown } from "./richText/markdown.ts"
import { loadFont } from "./theme/fonts.ts"

export const onDemand = {
  injectTrackers,
  listenForWebhook,
  loadFont,
  openPayment,
  readMarkdown,
  runIsolated,
  sendRequest,
  sendToAnalytics,
  sendToPixel,
}
