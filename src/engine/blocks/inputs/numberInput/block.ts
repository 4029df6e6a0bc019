/** Asks for a number and accepts a text that begins with one, as written in the chat's language. */
import { z } from "zod"
import { decimalMark } from "../../../../lib/languages.ts"
import { leadingNumber } from "../../../../lib/writtenNumber.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, askWithNumbers, typedInput, typedLabelsSchema } from "../asking.ts"

/** Simple units of ECMA-402 (edition of 2024, table 2), as Intl.NumberFormat takes them. */
const units = (
  "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit " +
  "gigabyte gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit " +
  "megabyte meter microsecond mile mile-scandinavian milliliter millimeter millisecond " +
  "minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week " +
  "yard year"
).split(" ")

export const numberInputBlockSchema = blockSchemaOf("number input", {
  options: optional.named("NumberInputOptions", "How the number is asked for and stored", {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    min: optional.numberOrText("Smallest number taken; 0 is not enforced"),
    max: optional.numberOrText("Largest number taken; 0 is not enforced"),
    step: optional.numberOrText("Step of the arrows; not enforced"),
    locale: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as de or pt-BR")
      .optional()
      .describe("Language to show the number in, such as en or en-US"),
    style: optional.oneOf(
      "How to show the number",
      ["decimal", "currency", "percent", "unit"],
      "decimal",
    ),
    currency: optional.text("ISO 4217 code, for the style currency"),
    unit: optional.oneOf("Unit, for the style unit", units),
  }),
}).meta({ id: "NumberInputBlock" })

export type NumberInputBlock = z.infer<typeof numberInputBlockSchema>

export const numberInputBlock = typedInput(numberInputBlockSchema, {
  catalogue: {
    label: "Number question",
    description: "Asks for a number within bounds",
    category: "questions",
    icon: "hash",
  },
  replyName: "number",
  answersAre: "numbers",
  samples: ({ options }, wanted) => {
    const min = enforced(options?.min, Number.NEGATIVE_INFINITY)
    const max = enforced(options?.max, Number.POSITIVE_INFINITY)
    const inside = (min + max) / 2
    const beyond = min > max ? [min, max, min - 1, max + 1] : [min - 1, max + 1]
    const tried = ["1", "20", ...[min, max, min + 1, max - 1, inside].map(String), "0", "-1", "1.5"]
    const isTaken = (text: string) => Number(text) >= min && Number(text) <= max
    const plain = [...tried, ...wanted].filter((text) => plainNumber.test(text)).map(unmistakable)
    return {
      fitting: plain.filter(isTaken),
      refused: [...beyond.map(String).filter((text) => plainNumber.test(text)), "many"],
    }
  },
  ask: (block, context) => askWithNumbers(block, ["min", "max", "step"], context),
  accept: (typed, block, context) => {
    const number = leadingNumber(typed, decimalMark(context.chat.language))
    if (number === undefined || !isWithinBounds(number, block, context)) return undefined
    // Leading zeros belong to codes and house numbers, which people type here too.
    return typed.startsWith("0") ? typed : String(number)
  },
})

/** A bound as displayed; `none` if it is not enforced. */
function enforced(bound: number | string | undefined, none: number): number {
  return Number(bound) || none
}

/** A number that people and programs write alike. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,9})?$/

/** Appends a zero to a fraction of three digits, which some languages would read as a group. */
function unmistakable(number: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(number) ? `${number}0` : number
}

/** A bound of 0 is not enforced, nor is one that is not a number. */
function isWithinBounds(number: number, block: NumberInputBlock, context: BlockContext): boolean {
  const min = readNumber(block.options?.min, context)
  const max = readNumber(block.options?.max, context)
  return !(min && number < min) && !(max && number > max)
}
