/** Shape of a number input. */
import { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, numberOptionSchema, typedLabelsSchema } from "../inputSchema.ts"

/** Simple units of ECMA-402 (edition of 2024, table 2), as Intl.NumberFormat takes them. */
const units = (
  "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit " +
  "gigabyte gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit " +
  "megabyte meter microsecond mile mile-scandinavian milliliter millimeter millisecond " +
  "minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week " +
  "yard year"
).split(" ")

const optionsSchema = namedObject("NumberInputOptions", "How the number is asked for and stored", {
  ...answerShape,
  labels: typedLabelsSchema.optional(),
  min: numberOptionSchema.optional().describe("Smallest number taken; 0 is not enforced"),
  max: numberOptionSchema.optional().describe("Largest number taken; 0 is not enforced"),
  step: numberOptionSchema.optional().describe("Step of the arrows; not enforced"),
  locale: z
    .string()
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
    .optional()
    .describe("Language to show the number in, such as en or en-US"),
  style: optional.oneOf("How to show the number; default decimal", [
    "decimal",
    "currency",
    "percent",
    "unit",
  ]),
  currency: optional.text("ISO 4217 code, for the style currency"),
  unit: optional.oneOf("Unit, for the style unit", units),
})

export const numberInputBlockSchema = blockSchemaOf("number input", "A number input", {
  options: optionsSchema.optional(),
}).meta({ id: "NumberInputBlock", description: "Asks for a number" })

export type NumberInputBlock = z.infer<typeof numberInputBlockSchema>
