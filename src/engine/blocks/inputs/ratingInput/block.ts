/** Asks for a rating up to some number. */
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, askWithNumbers, typedInput } from "../asking.ts"

export const ratingInputBlockSchema = blockSchemaOf("rating input", {
  options: optional.named("RatingInputOptions", "How the rating is asked for and stored", {
    ...answerShape,
    buttonType: optional.oneOf("Kind of buttons", ["Numbers", "Icons"], "Numbers"),
    length: optional.number("Highest rating", 10),
    startsAt: optional.numberOrText("Lowest number shown", 0),
    labels: optional.named("RatingInputLabels", "Texts around the rating", {
      left: optional.template("Label at the lowest rating"),
      right: optional.template("Label at the highest rating"),
      button: optional.template("Label of the button; default Send"),
    }),
    customIcon: optional.object("An icon of the author's own", {
      isEnabled: optional.flag("Whether it replaces the star", false),
      svg: optional.hinted("The icon as SVG", { code: "html" }),
    }),
    isOneClickSubmitEnabled: optional.flag("Whether a click on a rating sends it", false),
  }),
}).meta({ id: "RatingInputBlock" })

const defaultLength = 10

/** Max ratings tried. */
const maxSamples = 100

export const ratingInputBlock = typedInput(ratingInputBlockSchema, {
  catalogue: {
    label: "Rating",
    description: "Asks for a rating in numbers or icons",
    category: "choices",
    icon: "star",
    messengers: "reduced",
  },
  replyName: "rating",
  answersAre: "ratings",
  samples: ({ options }) => {
    const { length = defaultLength, startsAt = 1 } = options ?? {}
    const first = Math.min(Math.max(Number(startsAt) || 0, 0), length)
    const most = Math.min(Math.floor(length - first), maxSamples)
    return {
      fitting: Array.from({ length: most + 1 }, (_, index) => String(first + index)),
      refused: [...(Number.isSafeInteger(length) ? [String(length + 1)] : []), "many"],
    }
  },
  ask: (block, context) => askWithNumbers(block, ["startsAt"], context),
  // No lower bound, as existing bots rely on: an empty reply counts as 0.
  accept: (typed, { options }) =>
    Number(typed) <= (options?.length ?? defaultLength) ? typed : undefined,
})
