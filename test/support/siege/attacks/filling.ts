/** Every field into which values are filled, each asked to hold far more than was sent. */

import { bounded, served, stopped, tooExpensive } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { type Block, block, type FlowParts, groupOf, idOf, many, say, set } from "../flow.ts"

const tokens = (count: number) => "{{V}}".repeat(count)
const long = (length: number) => "x".repeat(length)
const value = (length: number) => () => ({ V: long(length) })
const bubble = (type: string, content: object): Block => ({ type, content })
const link = (url: string): Block => ({
  type: "text",
  content: { richText: [{ type: "p", children: [{ type: "a", url, children: [{ text: "x" }] }] }] },
})
const item = (more: object) => ({ items: [{ id: "i", ...more }] })
const http = (webhook: object) => block("Webhook", { isCustomBody: true, webhook })
const url = "http://127.0.0.1:9/"

/** What holds a text with 1,000 times 400 kB. */
const fields: Readonly<Record<string, (text: string) => Block>> = {
  text: say,
  "link in a text": link,
  image: (text) => bubble("image", { url: text }),
  "image link": (text) => bubble("image", { url, clickLink: { url: text, alt: text } }),
  video: (text) => bubble("video", { type: "url", url: text }),
  audio: (text) => bubble("audio", { url: text }),
  embed: (text) => bubble("embed", { url: text, height: text }),
  "text placeholder": (placeholder) => block("text input", { labels: { placeholder } }),
  "text button": (button) => block("text input", { labels: { button } }),
  "number limits": (text) => block("number input", { min: text, max: text, step: text }),
  "date limits": (text) => block("date input", { min: text, max: text }),
  "date labels": (text) => block("date input", { labels: { from: text, to: text } }),
  "file labels": (text) => block("file input", { labels: { placeholder: text, button: text } }),
  "phone country": (text) => block("phone number input", { defaultCountryCode: text }),
  choice: (text) => block("choice input", {}, item({ content: text, value: text })),
  "search placeholder": (text) =>
    block("choice input", { isSearchable: true, searchInputPlaceholder: text }, item({})),
  picture: (text) =>
    block("picture choice input", {}, item({ pictureSrc: text, title: text, description: text })),
  card: (text) =>
    block("cards", {}, item({ imageUrl: text, title: text, paths: [{ id: "p", text }] })),
  rating: (text) => block("rating input", { labels: { left: text, right: text, button: text } }),
  "rating icon": (svg) => block("rating input", { customIcon: { isEnabled: true, svg } }),
  "payment labels": (text) => block("payment input", { amount: text, labels: { button: text } }),
  redirect: (text) => block("Redirect", { url: text }),
  wait: (text) => block("Wait", { secondsToWaitFor: text }),
  "set variable": (text) => set("V", text),
  "appended item": (text) =>
    block("Set variable", { type: "Append value(s)", variableId: idOf("V"), item: text }),
  "client code": (text) => block("Code", { isExecutedOnClient: true, content: text }),
  "server code": (text) => block("Code", { isExecutedOnClient: false, content: text }),
  "HTTP address": (text) => http({ url: `${url}?${text}` }),
  "HTTP body": (text) => http({ url, body: `{"a":"${text}"}` }),
  "HTTP header": (text) => http({ url, headers: [{ id: "h", key: "x", value: text }] }),
  "HTTP query": (text) => http({ url, queryParams: [{ id: "q", key: "x", value: text }] }),
  mail: (text) => block("Email", { recipients: ["a@b.co"], subject: text, body: text }),
  analytics: (text) => block("Google Analytics", { trackingId: "G-1", label: text }),
  chatwoot: (text) => block("Chatwoot", { task: "Show widget", user: { id: "1", name: text } }),
}

/** The same in places outside of blocks, which are filled even when the chat only registers. */
const places: Readonly<Record<string, (text: string) => FlowParts>> = {
  "host avatar": (text) => ({ theme: { chat: { hostAvatar: { isEnabled: true, url: text } } } }),
  "guest avatar": (text) => ({ theme: { chat: { guestAvatar: { isEnabled: true, url: text } } } }),
  background: (content) => ({ theme: { general: { background: { type: "Image", content } } } }),
  "custom CSS": (text) => ({ theme: { customCss: text } }),
  "page title": (title) => ({ settings: { metadata: { title, description: title } } }),
  "system texts": (text) => ({
    settings: { general: { systemMessages: { botClosed: text, networkErrorTitle: text } } },
  }),
}

const inPlaces: FlowAttack[] = Object.entries(places).flatMap(([name, parts]) =>
  [false, true].map((isOnlyRegistering) => ({
    name: `1,000 × 400 kB in ${name}${isOnlyRegistering ? ", only registering" : ""}`,
    blocks: () => [say("Hello")],
    parts: () => parts(tokens(1_000)),
    values: value(400_000),
    start: { isOnlyRegistering },
    judge: tooExpensive,
  })),
)

const inFields: FlowAttack[] = Object.entries(fields).map(([name, make]) => ({
  name: `1,000 × 400 kB in ${name}`,
  blocks: () => [make(tokens(1_000))],
  values: value(400_000),
  // Some may also be refused before anything is filled in, know values by name alone, or do nothing
  // in a preview.
  judge: /^(HTTP|mail|analytics|chatwoot|payment|phone|number|wait|rating icon|server|client)/.test(
    name,
  )
    ? bounded
    : /^(set|appended)/.test(name)
      ? stopped
      : tooExpensive,
  ...(name === "image" && { crowd: 8 }),
}))

const retried = (name: string, type: string, parts: FlowParts, options: object): FlowAttack => ({
  name,
  blocks: () => [block(type, options)],
  parts: () => parts,
  values: value(400_000),
  replies: ["nonsense"],
  judge: tooExpensive,
})

const listCard = block(
  "cards",
  {},
  item({ title: "{{L}}", description: "{{V}}", paths: [{ id: "p", text: "{{V}}" }] }),
)

export const filling: FlowAttack[] = [
  {
    name: "2,000 × 900 kB in a text",
    blocks: () => [say(tokens(2_000))],
    values: value(900_000),
    judge: tooExpensive,
  },
  ...inFields,
  ...inPlaces,
  retried(
    "1,000 × 400 kB in a retry text",
    "email input",
    {},
    { retryMessageContent: tokens(1_000) },
  ),
  retried(
    "1,000 × 400 kB in the usual retry text",
    "email input",
    { settings: { general: { systemMessages: { invalidMessage: tokens(1_000) } } } },
    {},
  ),
  {
    name: "card of a list of 10,000 with 40 kB each",
    blocks: () => [listCard],
    values: () => ({ L: many(10_000, (index) => `t${index}`), V: long(40_000) }),
    judge: tooExpensive,
  },
  {
    name: "choice of a list of 200,000",
    blocks: () => [block("choice input", { dynamicVariableId: idOf("L") })],
    values: () => ({ L: many(200_000, () => "") }),
    judge: bounded,
  },
  {
    name: "pictures of lists of 50,000",
    blocks: () => [
      block("picture choice input", {
        dynamicItems: {
          isEnabled: true,
          titlesVariableId: idOf("L"),
          descriptionsVariableId: idOf("L"),
          pictureSrcsVariableId: idOf("L"),
        },
      }),
    ],
    values: () => ({ L: many(50_000, (index) => `picture ${index}`) }),
    judge: bounded,
  },
  {
    name: "5,000 unknown variables",
    blocks: () => [say(many(5_000, (index) => `{{Unknown ${index}}}`).join("")), say("x")],
    parts: () => ({ groups: [groupOf("g1", "x", [])] }),
    judge: bounded,
  },
  {
    name: "honest fields",
    blocks: () => [
      say("Hello {{V}}, {{V}}!"),
      bubble("image", { url: "https://example.com/{{V}}.png" }),
      block("cards", {}, item({ title: "{{V}}", paths: [{ id: "p", text: "Take {{V}}" }] })),
    ],
    values: value(20),
    judge: served,
    isControl: true,
  },
  {
    name: "honest long value",
    blocks: () => [say("You wrote: {{V}}"), block("text input")],
    values: value(20_000),
    judge: served,
    isControl: true,
  },
]
