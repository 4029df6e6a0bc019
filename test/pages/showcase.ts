/** A bot that shows every type of message and input, and a person who answers all of them. */
import type { Page } from "playwright-core"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, type BotParts, bot, group, p, say, sayRich, show } from "../support/bots.ts"
import { untilEnd } from "./inPage.mjs"

const host = "https://media.example"

const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

const words = [
  { type: "h2", children: [{ text: "Welcome to the showcase" }] },
  {
    type: "p",
    children: [
      { text: "This text has " },
      { text: "bold", bold: true },
      { text: ", " },
      { text: "italic", italic: true },
      { text: " and " },
      { text: "underlined", underline: true },
      { text: " words, " },
      { type: "a", url: "https://example.com/a", children: [{ text: "a link" }] },
      { text: ` and a word that is far too long: ${longWord}${longWord}.` },
    ],
  },
  {
    type: "ul",
    children: [
      "First point",
      "Second point, which takes more than one line on a narrow screen",
    ].map((text) => ({ type: "li", children: [{ type: "lic", children: [{ text }] }] })),
  },
  { type: "blockquote", children: [p("Somebody said this.")] },
  {
    type: "code_block",
    children: [
      { type: "code_line", children: [{ text: "const answer = await ask('everything')" }] },
    ],
  },
]

const pictures = ["Mountains", "Sea", "A town with a very long name beside a river"].map(
  (title, at) => ({
    id: `p${at}`,
    title,
    pictureSrc: `${host}/${at}.svg`,
    description: "Two days",
  }),
)

const cards = ["Flat", "House", "Boat"].map((title, at) => ({
  id: `c${at}`,
  title,
  description: "Three rooms, a balcony, and a view that people talk about for years",
  imageUrl: `${host}/${at}.svg`,
  paths: [
    { id: `c${at}a`, text: "Book it" },
    { id: `c${at}b`, text: "Ask a question" },
  ],
}))

const choices = [
  "I want to build a bot",
  "Just looking",
  "Something else entirely, if you do not mind",
]

export function showcase(parts: BotParts = {}): Flow {
  const settings = { typingEmulation: { enabled: false }, ...parts.settings }
  const blocks = [
    ...[sayRich(words), say("What is your name?"), ask.text({ saves: "Name" })],
    ...[say("Hi {{Name}}! How much?"), ask.number({ style: "currency", currency: "EUR" })],
    ...[show("image", { url: `${host}/0.svg` }), say("Your e-mail?"), ask.email()],
    ...[show("audio", { url: `${host}/a.mp3`, isAutoplayEnabled: false }), ask.url()],
    ...[
      show("video", { url: `${host}/v.mp4`, type: "url", isAutoplayEnabled: false }),
      ask.phone(),
    ],
    ...[show("file", { url: `${host}/Prices.pdf`, size: 82_000, caption: "As of today" })],
    ...[show("embed", { url: `${host}/page.html`, height: 160 }), ask.date()],
    ...[say("From when to when?"), ask.date({ isRange: true, hasTime: true })],
    ...[say("At what time?"), ask.time()],
    ...[say("What brings you here?"), ask.choice(choices)],
    ...[say("Pick several"), ask.choice(choices, { isMultipleChoice: true, isSearchable: true })],
    ...[say("Where to?"), ask.picture({ items: pictures })],
    ...[say("And where else?"), ask.picture({ items: pictures, isMultipleChoice: true })],
    ...[say("What shall it be?"), ask.cards({ items: cards })],
    ...[say("How likely?"), ask.rating({ labels: { left: "Never", right: "For sure" } })],
    ...[say("How was it?"), ask.rating({ buttonType: "Icons", length: 5 })],
    ...[say("A word to us?"), ask.text({ audioClip: { isEnabled: true } })],
    ...[say("A file, please"), ask.file({ isMultipleAllowed: true, isRequired: false })],
    ...[say("Anything else?"), ask.text({ isLong: true, attachments: { isEnabled: true } })],
    say("Thank you, {{Name}}. That was all."),
  ]
  return bot({ ...parts, settings }, group("Everything", ...blocks))
}

const drawings = ["#7aa2e3", "#8fc7a4", "#e3a27a"].map(
  (color) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="${color}"/><path d="M0 400L180 150l120 130L430 90l210 310z" fill="#fff" opacity=".7"/></svg>`,
)

/** A tenth of a second of silence, which players of sound and video take. */
const silence = (() => {
  const [rate, samples] = [8_000, 800]
  const header = Buffer.alloc(44)
  header.write("RIFF", 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  // Plain samples of one channel, a byte each.
  for (const at of [20, 22, 32]) header.writeUInt16LE(1, at)
  for (const at of [24, 28]) header.writeUInt32LE(rate, at)
  header.writeUInt16LE(8, 34)
  header.write("data", 36)
  header.writeUInt32LE(samples, 40)
  return Buffer.concat([header, Buffer.alloc(samples, 128)])
})()

/** Serves the media of the bot; everything else outside is unreachable. */
export async function serveMedia(page: Page): Promise<void> {
  await page.route(`${host}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname
    const drawing = drawings[Number(path[1])]
    if (drawing) await route.fulfill({ contentType: "image/svg+xml", body: drawing })
    else if (path.endsWith(".html")) {
      await route.fulfill({ contentType: "text/html", body: "<title>Page</title><p>A page." })
    } else await route.fulfill({ contentType: "audio/wav", body: silence })
  })
}

/** Matches inputs of every type. */
const asking = ".ask, .choices, .cards"

/** What to type, by the type of field. */
const written: Readonly<Record<string, string>> = {
  date: "2026-03-09",
  "datetime-local": "2026-03-09T10:00",
  email: "ann@example.com",
  decimal: "42.5",
  tel: "+33 6 01 02 03 04",
  time: "10:30",
  url: "example.com",
}

/** Answers the current input with the first choice, or with text of the right kind. */
async function answer(page: Page): Promise<void> {
  const skip = page.locator(".files-asked .button.plain")
  if ((await skip.count()) > 0) return await skip.click()
  const offered = page.locator(".options .button, .tile, .card .button, .mark").first()
  // A choice outside a form is sent by the click.
  const isForm = (await page.locator("form.ask").count()) > 0
  if ((await offered.count()) > 0) await offered.click()
  else await fill(page)
  if (isForm) await page.locator("button.send").click()
}

async function fill(page: Page): Promise<void> {
  for (const field of await page.locator("form.ask :is(input:not([hidden]), textarea)").all()) {
    const kinds = [await field.getAttribute("inputmode"), await field.getAttribute("type")]
    const [words = "Ann"] = kinds.flatMap((kind) => written[kind ?? ""] ?? [])
    await field.fill(words)
  }
}

/**
 * Answers all inputs, or the first ones; `look` is called while each input is shown, and once at the
 * end.
 */
export async function answerAll(
  page: Page,
  look: (place: string) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const ended = page.evaluate(untilEnd).then(() => true)
  for (let question = 1; ; question++) {
    const asked = page.locator(asking).first().waitFor()
    const isOver = await Promise.race([ended, asked.then(() => false)])
    // The loser of the race ends with the page.
    for (const waiting of [ended, asked]) waiting.catch(() => {})
    await look(isOver ? "the end" : `question ${question}`)
    if (isOver || question > most) return
    await answer(page)
  }
}
