/** Stored form of the Pixel block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { keyValueSchema } from "../../keyValues.ts"

/** Standard events of Meta, and `Custom`, which has a name of its own. */
const eventTypes = [
  "Lead",
  "Contact",
  "CompleteRegistration",
  "Schedule",
  "SubmitApplication",
  "ViewContent",
  "AddPaymentInfo",
  "AddToCart",
  "AddToWishlist",
  "CustomizeProduct",
  "Donate",
  "FindLocation",
  "InitiateCheckout",
  "Purchase",
  "Search",
  "StartTrial",
  "Subscribe",
  "Custom",
] as const

const optionsSchema = z
  .object({
    pixelId: z.string().optional().describe("Id of the pixel, also loaded when a chat starts"),
    isInitSkip: z
      .boolean()
      .optional()
      .describe("True: the page loads the pixel itself; default false"),
    eventType: z.enum(eventTypes).optional().describe("Event; absent: none is sent"),
    name: z.string().optional().describe("Name of a custom event; may hold {{variables}}"),
    params: z.array(keyValueSchema).optional().describe("Parameters of the event"),
  })
  .meta({ id: "PixelOptions", description: "An event of Meta Pixel" })

export const pixelBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Pixel").describe("Meta Pixel"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "PixelBlock", description: "Sends an event to Meta Pixel" })

export type PixelBlock = z.infer<typeof pixelBlockSchema>
