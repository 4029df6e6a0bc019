/** Has the client send an event to Meta Pixel; nothing happens in a preview. */
import { readJson } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"
import { keyValueSchema } from "../../keyValues.ts"

/** Standard events of Meta, and `Custom`, which has a name of its own. */
const eventTypes = (
  "Lead Contact CompleteRegistration Schedule SubmitApplication ViewContent AddPaymentInfo " +
  "AddToCart AddToWishlist CustomizeProduct Donate FindLocation InitiateCheckout Purchase " +
  "Search StartTrial Subscribe Custom"
).split(" ")

const pixelBlockSchema = blockSchemaOf("Pixel", {
  options: optional.named("PixelOptions", "An event of Meta Pixel", {
    pixelId: optional.text("Id of the pixel, also loaded when a chat starts"),
    isInitSkip: optional
      .flag("Whether the page loads the pixel itself", false)
      .meta({ title: "Loaded by the page" }),
    eventType: optional.oneOf("Event; absent: none is sent", eventTypes),
    name: optional.template("Name of a custom event"),
    params: optional.list("Parameters of the event", keyValueSchema),
  }),
}).meta({ id: "PixelBlock" })

export const pixelBlock = action(pixelBlockSchema, {
  catalogue: {
    label: "Meta Pixel",
    description: "Sends an event to Meta Pixel from the browser of the visitor",
    category: "analytics",
    icon: "target",
    messengers: "none",
  },
  run({ options }, context) {
    if (!options?.pixelId || !options.eventType || context.chat.isPreview) return {}
    const { pixelId, isInitSkip, eventType, params = [] } = options
    const name = eventType === "Custom" ? interpolate(options.name, context) : ""
    const filled = params.flatMap((param) => {
      const key = interpolate(param.key, context)
      // In the author's JSON, values are filled in as part of a text.
      const isJson = /^\s*(?:\[|\{(?!\{))/.test(param.value ?? "")
      const text = interpolate(param.value, context, isJson ? "json" : "value")
      // Inline code without a value may say so.
      if (key === "" || text === "undefined") return []
      const value = readJson(text)
      return value === "" ? [] : [{ id: param.id ?? key, key, value }]
    })
    const pixel = { pixelId, eventType, ...nonEmpty({ isInitSkip, name, params: filled }) }
    return { act: [{ type: "pixel", pixel }] }
  },
  startProps: ({ options }) =>
    options?.pixelId && options.isInitSkip !== true ? { pixelId: options.pixelId } : {},
})
