/** The script `/embed/on-demand.js`: parts that the first messages of a chat do not need. */
import { sendRequest } from "./actions/sendRequest.ts"
import { injectTrackers, sendToAnalytics, sendToPixel } from "./actions/trackers.ts"
import { runIsolated } from "./code/isolated.ts"
import { checkNumber } from "./inputs/checkNumber.ts"
import { listCountries } from "./inputs/countries.ts"
import { fieldValue } from "./inputs/moments.ts"
import { readNumber, writeNumber } from "./inputs/readNumber.ts"
import { startRecording } from "./inputs/startRecording.ts"
import { openPayment } from "./inputs/stripe.ts"
import { readMarkdown } from "./richText/markdown.ts"
import { hear } from "./talk/hear.ts"
import { uploadFile } from "./talk/upload.ts"
import { loadFont } from "./theme/fonts.ts"
import { checkSettings } from "./widgets/checkSettings.ts"

export const onDemand = {
  checkNumber,
  checkSettings,
  fieldValue,
  hear,
  injectTrackers,
  listCountries,
  loadFont,
  openPayment,
  readMarkdown,
  readNumber,
  runIsolated,
  sendRequest,
  sendToAnalytics,
  sendToPixel,
  startRecording,
  uploadFile,
  writeNumber,
}
