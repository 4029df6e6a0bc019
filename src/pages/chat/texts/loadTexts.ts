/** Fetches the built-in texts of a language, which are needed when a chat shows them. */
import type { Language } from "../../../lib/languages.ts"
import { english } from "./english.ts"
import type { Texts } from "./texts.ts"

const timeoutMs = 10_000

const fetched = new Map<string, Promise<Texts>>()

/** The texts from a service, by its origin; English where they cannot be had. */
export function loadTexts(host: string, language: Language | "pt-PT" = "en"): Promise<Texts> {
  if (language === "en") return Promise.resolve(english)
  const address = `${host}/embed/texts/${language}.json?v=${CATALOGUES_VERSION}`
  const texts = fetched.get(address) ?? fetchTexts(address)
  fetched.set(address, texts)
  return texts
}

async function fetchTexts(address: string): Promise<Texts> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(address, { signal, credentials: "omit" })
    if (!response.ok) throw new Error(`Refused with ${response.status}`)
    // The script and the service are of two versions during an upgrade.
    return { ...english, ...(await response.json()) }
  } catch {
    fetched.delete(address)
    return english
  }
}
