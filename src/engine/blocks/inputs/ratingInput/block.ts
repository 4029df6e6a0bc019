/** Asks for a rating up to some number. */
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { askWithNumbers, typedInput } from "../asking.ts"
import { answerShape } from "../inputSchema.ts"

export const ratingInputBlockSchema = blockSchemaOf("rating input", "A rating input", {
  options: optional.named("RatingInputOptions", "How the rating is asked for and stored", {
    ...answerShape,
    buttonType: optional.oneOf("What the rating is given with; default Numbers", [
      "Numbers",
      "Icons",
    ]),
    length: optional.number("Highest rating; default 10"),
    startsAt: optional.numberOrText("Lowest number shown; default 0"),
    labels: optional.named("RatingInputLabels", "Texts around the rating", {
      left: optional.template("Stands at the lowest rating"),
      right: optional.template("Stands at the highest rating"),
      button: optional.template("Label of the button; default Send"),
    }),
    customIcon: optional.object("An icon of the author's own", {
      isEnabled: optional.flag("Whether it replaces the star; default false"),
      svg: optional.text("The icon as SVG"),
    }),
    isOneClickSubmitEnabled: optional.flag("Whether a click on a rating sends it; default false"),
  }),
}).meta({ id: "RatingInputBlock", description: "Asks for a rating" })

const defaultLength = 10

export const ratingInputBlock = typedInput(ratingInputBlockSchema, {
  replyName: "rating",
  ask: (block, context) => askWithNumbers(block, ["startsAt"], context),
  // Existing bots rely on there being no lower bound: an empty reply counts as 0.
  accept: (typed, { options }) =>
    Number(typed) <= (options?.length ?? defaultLength) ? typed : undefined,
})
