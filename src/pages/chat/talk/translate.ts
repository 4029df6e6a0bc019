/** Puts the built-in texts of a conversation into the language of its bot, else of the person. */
import { languageFor } from "../../../lib/languages.ts"
import { localeOf } from "../locale.ts"
import { loadTexts } from "../texts/loadTexts.ts"
import { pause } from "./pause.ts"
import type { Talk } from "./talk.ts"

/** Nothing is shown before the texts are here, or this time has passed: it is English until they come. */
const maxWaitMs = 1_000

export async function translate(talk: Talk): Promise<void> {
  const { store, connection, languages, closing } = talk
  const own = store.read().bot?.settings.general?.language
  const language = languageFor([own, ...languages])
  talk.language = language
  const region = own?.includes("-") ? own : localeOf("pt")
  const isEuropean = language === "pt" && /^pt-(?!br)/i.test(region)
  const loaded = loadTexts(connection.host, isEuropean ? "pt-PT" : language).then((texts) => {
    // The bot may have said another one in the meantime.
    if (talk.language !== language) return
    store.change({ texts })
    talk.onTexts(texts)
  })
  await Promise.race([loaded, pause(maxWaitMs, closing.signal)])
}
