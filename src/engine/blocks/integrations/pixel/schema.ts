/** Stored form of the Pixel block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { keyValueSchema } from "../../keyValues.ts"

/** Standard events of Meta, and `Custom`, which has a name of its own. */
const eventTypes = (
  "Lead Contact CompleteRegistration Schedule SubmitApplication ViewContent AddPaymentInfo " +
  "AddToCart AddToWishlist CustomizeProduct Donate FindLocation InitiateCheckout Purchase " +
  "Search StartTrial Subscribe Custom"
).split(" ")

const optionsSchema = namedObject("PixelOptions", "An event of Meta Pixel", {
  pixelId: optional.text("Id of the pixel, also loaded when a chat starts"),
  isInitSkip: optional.flag("True: the page loads the pixel itself; default false"),
  eventType: optional.oneOf("Event; absent: none is sent", eventTypes),
  name: optional.template("Name of a custom event"),
  params: optional.list("Parameters of the event", keyValueSchema),
})

export const pixelBlockSchema = blockSchemaOf("Pixel", "Meta Pixel", {
  options: optionsSchema.optional(),
}).meta({ id: "PixelBlock", description: "Sends an event to Meta Pixel" })

export type PixelBlock = z.infer<typeof pixelBlockSchema>
