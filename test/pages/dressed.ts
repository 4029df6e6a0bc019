/** A bot with hostile texts wherever authors can set something other than messages. */
import type { Flow } from "../../src/engine/bot.ts"
import { ask, bot, group, p, say, sayRich } from "../support/bots.ts"
import { swift } from "./pageServer.ts"
import { links, styles } from "./payloads.ts"

/** Every setting contains all the texts, except addresses and styles, which take one each, chosen by `part`. */
export function dressed(texts: readonly string[], part: number): Flow {
  let at = part * 5
  const style = () => styles[at++ % styles.length] ?? ""
  const link = () => links[at++ % links.length] ?? ""
  const words = texts.join(" ")
  const labels = Object.fromEntries(
    ["placeholder", "button", "left", "right", "from", "to", "clear"].map((name) => [name, words]),
  )
  const shapes = texts.map((text) => `<path d="M0 0" fill="${text}"/>${text}`).join("")
  const svg = `<svg><path d="M0 0" fill="${style()}"/>${shapes}</svg>`
  const picture = { id: "p", title: words, description: words, pictureSrc: link() }
  const card = { id: "c", title: words, description: words, imageUrl: link() }
  return bot(
    { theme: themeOf(words, style, link), settings: { ...swift, ...settingsOf(texts, link) } },
    group(
      "A",
      sayRich([p(words)]),
      ask.text({ labels }),
      ask.number({ labels }),
      ask.phone({ labels }),
      ask.date({ labels, isRange: true }),
      ask.choice([words, words], { isSearchable: true, searchInputPlaceholder: words }),
      ask.choice([words], { isMultipleChoice: true, buttonLabel: words }),
      ask.picture({ items: [picture] }),
      ask.cards({ items: [{ ...card, paths: [{ id: "d", text: words }] }] }),
      ask.rating({
        ...{ buttonType: "Icons", length: 3, labels },
        customIcon: { isEnabled: true, svg },
      }),
      ask.file({ isRequired: false, labels: { ...labels, skip: "Skip" } }),
      say("End"),
    ),
  )
}

function themeOf(words: string, style: () => string, link: () => string): Record<string, unknown> {
  const box = () => ({
    backgroundColor: style(),
    color: style(),
    border: { color: style(), thickness: 1 },
  })
  return {
    general: {
      // The name is quoted, so it may contain anything.
      font: words,
      background: { type: "Color", content: style() },
      progressBar: { isEnabled: true, color: style(), backgroundColor: style() },
    },
    chat: {
      container: { ...box(), maxWidth: style(), maxHeight: style() },
      hostBubbles: box(),
      guestBubbles: box(),
      buttons: box(),
      inputs: { ...box(), placeholderColor: style() },
      hostAvatar: { isEnabled: true, url: link() },
      guestAvatar: { isEnabled: true, url: link() },
    },
  }
}

function settingsOf(texts: readonly string[], link: () => string): Record<string, unknown> {
  const words = texts.join(" ")
  const marks = texts.map((text) => `${text}<meta name="owner" content="${text}">`)
  return {
    metadata: {
      title: words,
      description: words,
      imageUrl: link(),
      favIconUrl: link(),
      customHeadCode: marks.join(""),
    },
  }
}
