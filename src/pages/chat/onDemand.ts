/** The script `/embed/on-demand.js`: what few chats need, loaded when one does. */
import { injectTrackers, sendToAnalytics, sendToPixel } from "./actions/trackers.ts"
import { readMarkdown } from "./richText/markdown.ts"

export const onDemand = { injectTrackers, readMarkdown, sendToAnalytics, sendToPixel }
