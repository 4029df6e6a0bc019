/** Has the client send an event to Google Analytics; nothing happens in a preview. */
import { defined } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const googleAnalyticsBlockSchema = blockSchemaOf("Google Analytics", {
  options: optional.named("GoogleAnalyticsOptions", "An event of Google Analytics", {
    trackingId: optional
      .text("Measurement id, also loaded when a chat starts")
      .meta({ title: "Measurement ID" }),
    category: optional.template("Category of the event"),
    action: optional.template("Name of the event"),
    label: optional.template("Label of the event"),
    value: optional.numberOrVariable("Value of the event"),
    sendTo: optional.template("Further target"),
  }),
}).meta({ id: "GoogleAnalyticsBlock" })

export const googleAnalyticsBlock = action(googleAnalyticsBlockSchema, {
  catalogue: {
    label: "Google Analytics",
    description: "Sends an event to Google Analytics from the browser of the visitor",
    category: "analytics",
    icon: "chart-line",
    messengers: "none",
  },
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
