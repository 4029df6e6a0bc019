/** Addresses and requests of the OpenAI API and of those that are compatible with it. */

import { plainHost } from "../../../../lib/plainHost.ts"
import { openAiHosts } from "../../../allowedHosts.ts"
import type { HttpRequest } from "../../../calls.ts"
import { bearer, json } from "../../api.ts"
import type { KeyAddress } from "../../declared.ts"

/** Root of the API. */
export const openAiBaseUrl = "https://api.openai.com/v1"

/** The address that receives the key, if it is not OpenAI's. */
export function openAiKeyAddress({
  options,
}: {
  options?: { baseUrl?: string | undefined; credentialsId?: string | undefined } | undefined
}): KeyAddress | undefined {
  const { baseUrl: address, credentialsId } = options ?? {}
  if (!address || !credentialsId) return undefined
  if (URL.canParse(address) && isOpenAi(new URL(address))) return undefined
  return { at: ["options", "baseUrl"], address, credentialsId }
}

function isOpenAi({ protocol, port, hostname }: URL): boolean {
  return protocol === "https:" && port === "" && openAiHosts.includes(plainHost(hostname))
}

/** The address in options, unless the credential has its own. */
type OpenAiAddress = { baseUrl?: string | undefined; apiVersion?: string | undefined }

/** A POST request; a credential's `baseUrl` wins over that of the options. */
export function openAiPost(
  { baseUrl = openAiBaseUrl, apiVersion }: OpenAiAddress,
  path: string,
  body: HttpRequest["body"],
): HttpRequest {
  return {
    method: "POST",
    url: [{ secret: "baseUrl", fallback: baseUrl, as: "base" }, path],
    headers: [
      bearer(),
      // Deployments on Azure expect the key in another header.
      ...(apiVersion ? [["api-key", [{ secret: "apiKey" }]] satisfies [string, object[]]] : []),
    ],
    ...(apiVersion ? { query: [["api-version", apiVersion]] } : {}),
    body,
  }
}

/** The request to the speech endpoint; the answer is an MP3. */
export function speechRequest(address: OpenAiAddress, speech: object): HttpRequest {
  return openAiPost(address, "/audio/speech", json({ ...speech, response_format: "mp3" }))
}

/** Voices for editors; others are passed on. */
export const voices = ["alloy", "echo", "fable", "onyx", "nova", "shimmer"] as const

/** Whether a model of OpenAI accepts pictures. */
export function seesPictures(model: string): boolean {
  if (/^gpt-(?:[5-9]|\d\d|4o|4\.\d)/.test(model)) return true
  if (model.startsWith("gpt-4-turbo")) return !model.includes("-preview")
  return /^gpt-4.*vision-preview/.test(model)
}
