/** Plans the credentials that secrets of a flow can become. */
import { type Extraction, planExtraction } from "../../authoring/secrets/planExtraction.ts"
import type { Flow } from "../../engine/bot.ts"
import { maxAllowedHosts } from "./credentialHosts.ts"
import { parseCredentialData } from "./credentialTypes.ts"

export function extractionOf(flow: Flow): Extraction {
  return planExtraction(flow, {
    maxHosts: maxAllowedHosts,
    isStorable: (auth) => parseCredentialData("http", { auth })?.success === true,
  })
}
