/** The script `/embed/on-demand.js`: what few chats need, loaded when one does. */
import { sendRequest } from "./actions/sendRequest.ts"
import { injectTrackers, sendToAnalytics, sendToPixel } from "./actions/trackers.ts"
import { runIsolated } from "./code/isolated.ts"
import { openPayment } from "./inputs/stripe.ts"
import { readMarkdown } from "./richText/markdown.ts"
import { loadFont } from "./theme/fonts.ts"

export const onDemand = {
  injectTrackers,
  loadFont,
  openPayment,
  readMarkdown,
  runIsolated,
  sendRequest,
  sendToAnalytics,
  sendToPixel,
}
