/** Has the client send an event to Google Analytics; nothing happens in a preview. */

import { defined } from "../../../presentMembers.ts"
import { interpolateStructure, readNumber } from "../../../variables/interpolate.ts"
import type { Action } from "../../block.ts"
import { type GoogleAnalyticsBlock, googleAnalyticsBlockSchema } from "./schema.ts"

export const googleAnalyticsBlock: Action<GoogleAnalyticsBlock> = {
  kind: "action",
  schema: googleAnalyticsBlockSchema,
  run({ options }, context) {
    if (!options || context.chat.isPreview) return {}
    const { value, ...texts } = options
    const event = interpolateStructure(texts, context, { dropsEmpty: true })
    const googleAnalytics = { ...event, ...defined({ value: readNumber(value, context) }) }
    return { act: [{ type: "googleAnalytics", googleAnalytics }] }
  },
  startProps: ({ options }) =>
    options?.trackingId ? { googleAnalyticsId: options.trackingId } : {},
}
