/** Has the client send an event to Google Analytics; nothing happens in a preview. */
import { defined } from "../../../presentMembers.ts"
import { optional } from "../../../schema/members.ts"
import { interpolateStructure, readNumber } from "../../../variables/interpolate.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { action } from "../../defineBlock.ts"

const googleAnalyticsBlockSchema = blockSchemaOf("Google Analytics", "Google Analytics", {
  options: optional.named("GoogleAnalyticsOptions", "An event of Google Analytics", {
    trackingId: optional.text("Measurement id, also loaded when a chat starts"),
    category: optional.text("Category of the event"),
    action: optional.text("Name of the event"),
    label: optional.text("Label of the event"),
    value: optional.numberOrVariable("Value of the event"),
    sendTo: optional.text("Further target"),
  }),
}).meta({ id: "GoogleAnalyticsBlock", description: "Sends an event to Google Analytics" })

export const googleAnalyticsBlock = action(googleAnalyticsBlockSchema, {
  run({ options }, context) {
    if (!options || context.chat.isPreview) return {}
    const { value, ...texts } = options
    const event = interpolateStructure(texts, context, { dropsEmpty: true })
    const googleAnalytics = { ...event, ...defined({ value: readNumber(value, context) }) }
    return { act: [{ type: "googleAnalytics", googleAnalytics }] }
  },
  startProps: ({ options }) =>
    options?.trackingId ? { googleAnalyticsId: options.trackingId } : {},
})
