/** Asks for a phone number and keeps it in its international form. */
import {
  findPhoneNumbersInText,
  isSupportedCountry,
  isValidPhoneNumber,
} from "libphonenumber-js/min"
import { plainDigits } from "../../../../lib/writtenNumber.ts"
import { type Fuel, spend } from "../../../budget/fuel.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, retryShape, typedInput, typedLabelsSchema } from "../asking.ts"

const phoneNumberInputBlockSchema = blockSchemaOf("phone number input", {
  options: optional.named("PhoneNumberInputOptions", "How the number is asked for and stored", {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
    defaultCountryCode: optional.text(
      "ISO 3166 code of the country of national numbers; anything else: none",
    ),
  }),
}).meta({ id: "PhoneNumberInputBlock" })

export const phoneNumberInputBlock = typedInput(phoneNumberInputBlockSchema, {
  catalogue: {
    label: "Phone number",
    description: "Asks for a phone number and stores it in its international form",
    category: "questions",
    icon: "phone",
  },
  replyName: "phone",
  answersAre: "phone numbers",
  samples: (_, wanted) => ({
    fitting: [
      "+14155552671",
      "+33123456789",
      ...wanted.filter((text) => /^\+\d{7,15}$/.test(text) && isValidPhoneNumber(text)),
    ],
    refused: ["12", "call me"],
  }),
  problems: ({ options: { defaultCountryCode: country = "" } = {} }) => {
    // Some exports write words for "no country".
    if (!/^[a-z]{2,3}$/i.test(country) || isSupportedCountry(country)) return []
    const message = `There is no country with the code "${country}", so national numbers are refused`
    return [{ rule: "unknown-country", at: ["options", "defaultCountryCode"], message }]
  },
  accept: (typed, { options }, { fuel }) => findNumber(typed, options?.defaultCountryCode, fuel),
})

/** Longer texts are not phone numbers and slow to search: 16 ms at worst at this length. */
const maxTextLength = 1000

/** The first number of the text in E.164, by the rules of libphonenumber-js 1. */
function findNumber(text: string, countryCode: string | undefined, fuel: Fuel): string | undefined {
  if (text.length > maxTextLength) return undefined
  spend(fuel, text.length * (text.length >> 3))
  const country = countryCode && isSupportedCountry(countryCode) ? countryCode : undefined
  const plain = plainDigits(text).replace(/＋/g, "+")
  // Without a country, a number that people dial from most countries is international.
  const whole = country ? plain : plain.replace(/^\s*00(?=[ 1-9])/, "+")
  return findPhoneNumbersInText(whole, country)[0]?.number.number
}
