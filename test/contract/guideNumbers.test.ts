/** The numbers in the prose of the guide and of the document are those of the code. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { webhookTimeoutMs } from "../../src/effects/webhooks/sendWebhook.ts"
import { minDays } from "../../src/http/rest/deprecation.ts"
import { failingMs, retryDelays } from "../../src/jobs/deliveries/attempts.ts"
import { customerBits } from "../../src/lib/party.ts"
import { sessionMs } from "../../src/people/signIn.ts"
import { eventMs, keyMs } from "../../src/results/purgeExpired.ts"
import { formerSecretMs } from "../../src/routers/webhookEndpoint/endpointOperations.ts"
import { chapters } from "../support/guideSteps.ts"

const words = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A count in words; a count that is none fails. */
function inWords(count: number): string {
  const word = words[count]
  if (word === undefined) throw new Error(`${count} has no word`)
  return word
}

const [first = 0, second = 0, third = 0, ...others] = retryDelays
const retryDays = Math.round((retryDelays.reduce((sum, each) => sum + each, 0) * 1_000) / dayMs)
const repeated = `up to ${inWords(retryDelays.length)} times over ${inWords(retryDays)} days`

const sentences: readonly (readonly [place: string, sentence: string])[] = [
  ["Webhooks", `with 200 to 299 within ${webhookTimeoutMs / 1_000} seconds`],
  ["Webhooks", `Other answers are repeated ${repeated}`],
  [
    "Webhooks",
    `after ${first} seconds, ${second / 60} minutes, ${third / 60} minutes, and then hours`,
  ],
  ["Webhooks", `so do ${inWords(failingMs / dayMs)} days without a success`],
  ["Webhooks", `the last ${eventMs / dayMs} days`],
  ["Webhooks", `For ${formerSecretMs / hourMs} hours after you rotate the secret`],
  ["Webhooks", `the former one signs along for ${formerSecretMs / hourMs} hours`],
  ["Rate limits", `An IPv6 address counts as its /${customerBits} network`],
  ["Idempotency", `A key is kept for ${keyMs / hourMs} hours`],
  ["Authentication", `a cookie that lasts ${sessionMs / dayMs} days`],
  ["Versions and deprecation", `lie at least ${minDays} days`],
  ["openapi.json", `within ${webhookTimeoutMs / 1_000} seconds counts as delivered`],
  ["openapi.json", `anything else is retried ${repeated}`],
  ["openapi.json", `the last ${eventMs / dayMs} days`],
  ["openapi.json", `For ${formerSecretMs / hourMs} hours, requests carry two signatures`],
  ["openapi.json", `safe to repeat for ${keyMs / hourMs} hours`],
  ["openapi.webhooks.json", `Retried ${repeated}`],
  ["openapi.json", `failed for ${inWords(failingMs / dayMs)} days`],
]

const texts = new Map<string, string>([
  ...chapters.map(({ title, text }) => [title, text] as const),
  ["openapi.json", readFileSync("openapi.json", "utf8")],
  ["openapi.webhooks.json", readFileSync("src/http/openapi/openapi.webhooks.json", "utf8")],
])

test.each(sentences)("%s says: %s", (place, sentence) => {
  expect(others.every((seconds) => seconds % 3_600 === 0)).toBe(true)
  expect(texts.get(place)?.replaceAll(/\s+/g, " ").includes(sentence)).toBe(true)
})
