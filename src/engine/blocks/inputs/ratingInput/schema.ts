/** Shape of a rating input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, labelSchema } from "../inputShape.ts"
import { numberOptionSchema } from "../numberOption.ts"

const labelsSchema = z
  .object({
    left: labelSchema("Stands at the lowest rating"),
    right: labelSchema("Stands at the highest rating"),
    button: labelSchema("Label of the button; default Send"),
  })
  .meta({ id: "RatingInputLabels", description: "Texts around the rating" })

const optionsSchema = z
  .object({
    ...answerShape,
    buttonType: z
      .enum(["Numbers", "Icons"])
      .optional()
      .describe("What the rating is given with; default Numbers"),
    length: z.number().optional().describe("Highest rating; default 10"),
    startsAt: numberOptionSchema.optional().describe("Lowest number shown; default 0"),
    labels: labelsSchema.optional(),
    customIcon: z
      .object({
        isEnabled: z.boolean().optional().describe("Whether it replaces the star; default false"),
        svg: z.string().optional().describe("The icon as SVG"),
      })
      .optional()
      .describe("An icon of the author's own"),
    isOneClickSubmitEnabled: z
      .boolean()
      .optional()
      .describe("Whether a click on a rating sends it; default false"),
  })
  .meta({ id: "RatingInputOptions", description: "How the rating is asked for and stored" })

export const ratingInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("rating input").describe("A rating input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "RatingInputBlock", description: "Asks for a rating" })

export type RatingInputBlock = z.infer<typeof ratingInputBlockSchema>
