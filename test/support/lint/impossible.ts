/** Examples for the rules about what cannot work. */
import { ask, block, bot, group, jump, link, say, set, when } from "../bots.ts"
import { changed, type Examples, hello } from "./examples.ts"

const http = (webhook: object, more: object = {}) => block("Webhook", { webhook, ...more })
const posted = (body: string) =>
  bot(group("A", http({ url: "https://a.example", body }, { isCustomBody: true })))
const mail = (recipients: unknown) =>
  bot(group("A", block("Email", { credentialsId: "default", recipients })))
const test = (aPercent: number) =>
  bot(group("A", { type: "AB test", options: { aPercent }, items: [] }, say("x")))
const waiting = (secondsToWaitFor: unknown) =>
  bot(group("A", block("Wait", { secondsToWaitFor }), say("x")))
const phone = (defaultCountryCode: string) =>
  bot(group("A", ask.phone({ defaultCountryCode }), say("x")))

/** The bot with its start connected to nothing, to a group that is gone, or to one without blocks. */
const started = (edge: "none" | "gone" | "empty") =>
  changed(bot(hello, group("Empty")), ({ events, edges }) => ({
    events: events?.map((event) => ({
      ...event,
      outgoingEdgeId: edge === "none" ? undefined : event.outgoingEdgeId,
    })),
    edges: edges.map((each) => ({
      ...each,
      to: { groupId: edge === "empty" ? "gEmpty" : "gone" },
    })),
  }))

/** A broken block in a group that no chat comes to. */
const aside = (broken: ReturnType<typeof block>) => bot(hello, group("Aside", broken))

const code = (content: string, more: object = {}) =>
  bot(
    { variables: { Name: null } },
    group("A", ask.text({ saves: "Name" }), block("Code", { content, ...more }), say("x")),
  )
const onServer = { isExecutedOnClient: false }
const inline = (source: string) =>
  bot(group("A", ask.text({ saves: "Name" }), say(`Hi {{=${source}=}}`)))
const script = "/groups/0/blocks/1/options/content"
const shown = "/groups/0/blocks/1/content/richText/0/children/0/text"

/** By rule. */
export const impossible: Record<string, Examples> = {
  "mute-bot": {
    fails: [
      [bot(group("A", set("Name", "Ann"))), "/groups"],
      [
        bot(
          group("A", block("Wait", { secondsToWaitFor: 1 }), jump("B")),
          group("B", set("N", "1")),
        ),
        "/groups",
      ],
      [bot(group("A", when([["N", "Is set"]], { to: "B" })), group("B", set("N", "1"))), "/groups"],
    ],
    passes: [
      bot(hello),
      bot(group("A", http({ url: "https://a.example" }))),
      bot(group("A", link("other"))),
      bot(group("A", block("Redirect", { url: "a.example" }))),
      bot(group("A", block("hologram"))),
    ],
  },
  "start-leads-nowhere": {
    fails: [
      [started("none"), "/events/0"],
      [started("gone"), "/events/0"],
      [started("empty"), "/events/0"],
      [
        { version: "5", groups: [{ id: "g", title: "S", blocks: [{ id: "s", type: "start" }] }] },
        "/groups/0/blocks/0",
      ],
    ],
    passes: [bot(hello)],
  },
  "misspelt-block": {
    fails: [
      ...["texts", "tex", "txet", "Text", "condition", "Jmup", "email inputs"].map(
        (type): Examples["fails"][0] => [
          bot(group("A", block(type), say("x"))),
          "/groups/0/blocks/0/type",
        ],
      ),
    ],
    passes: [bot(group("A", block("hologram"), block("video call"), say("x")))],
  },
  "impossible-bounds": {
    fails: [
      [bot(group("A", ask.number({ min: 10, max: 5 }), say("x"))), "/groups/0/blocks/0/options"],
      [
        bot(group("A", ask.date({ min: "2026-05-02", max: "2026-05-01" }), say("x"))),
        "/groups/0/blocks/0/options",
      ],
    ],
    passes: [
      bot(group("A", ask.number({ min: 5, max: 5 }), ask.number(), say("x"))),
      bot(group("A", ask.number({ min: "{{Least}}", max: 5 }), say("x"))),
      bot(group("A", ask.date({ min: "2026-05-01", max: "2026-05-01" }), say("x"))),
      bot(group("A", ask.file(), ask.url(), ask.rating(), ask.time(), ask.email(), say("x"))),
      aside(ask.number({ min: 10, max: 5 })),
    ],
  },
  "invalid-code": {
    fails: [
      [code("const a = "), script],
      [code("setVariable('a', 1", onServer), script],
      [
        bot(
          { variables: { Name: null } },
          group("A", set("Name", "return {{Name}}..x", { isCode: true }), say("x")),
        ),
        "/groups/0/blocks/0/options/expressionToEvaluate",
      ],
      [inline("{{Name}} +"), shown],
      [inline("await fetch('https://a.example')"), shown],
    ],
    passes: [
      code("await fetch('https://a.example'); return {{Name}}", onServer),
      changed(code("{{Unknown}} +", onServer), () => ({ variables: [] })),
      bot(group("A", set("Name", "Hello you", {}), say("x"))),
      inline("{{Name}}?.split(' ')[0] ?? ''"),
      inline("const a = 1; return a"),
      aside(block("Code", { content: "(" })),
    ],
  },
  "unknown-name": {
    fails: [
      [inline("capitalise({{Name}})"), shown],
      [code("document.title = {{Name}}", onServer), script],
    ],
    passes: [
      code("document.title = {{Name}}"),
      code("setVariable('Name', JSON.stringify({{Name}}))", onServer),
      inline("String({{Name}}).toUpperCase()"),
      inline("vName.length"),
    ],
  },
  "address-without-scheme": {
    fails: [
      ["a.example/hook", "/groups/0/blocks/0/options/webhook/url"],
      ["ftp://a.example", "/groups/0/blocks/0/options/webhook/url"],
    ].map(([url = "", pointer = ""]) => [bot(group("A", http({ url }))), pointer]),
    passes: ["https://a.example", " HTTP://a.example", "{{Url}}", "https://{{Host}}/x"].map((url) =>
      bot(group("A", http({ url }))),
    ),
  },
  "invalid-json": {
    fails: ['{"a": }', "{ a: 1 }", '{"name": "{{Name}}", }', '[{"a": 1]'].map((body) => [
      posted(body),
      "/groups/0/blocks/0/options/webhook/body",
    ]),
    passes: [
      '{"name": "{{Name}}", "age": {{Age}}, "all": [{{List}}]}',
      "{ {{Members}} }",
      "{{Body}}",
      "{{state}}",
      "name={{Name}}",
      '{"a": "{{= [1].map((x) => x) =}}"}',
      "",
    ].map(posted),
  },
  "no-recipients": {
    fails: [
      [mail([]), "/groups/0/blocks/0/options"],
      [mail([" "]), "/groups/0/blocks/0/options"],
      [bot(group("A", { type: "Email" })), "/groups/0/blocks/0"],
    ],
    passes: [mail(["a@b.example"]), mail(["", "{{Mail}}"])],
  },
  "unknown-country": {
    fails: ["XX", "UK", "GER"].map((country) => [
      phone(country),
      "/groups/0/blocks/0/options/defaultCountryCode",
    ]),
    passes: ["DE", "GB", "International", ""].map(phone),
  },
  "one-sided-test": {
    fails: [[test(0), "/groups/0/blocks/0/options/aPercent"]],
    passes: [test(1), test(100), bot(group("A", { type: "AB test" }, say("x")))],
  },
  "endless-wait": {
    fails: [86_400, "90000", "86400 s"].map((seconds) => [
      waiting(seconds),
      "/groups/0/blocks/0/options/secondsToWaitFor",
    ]),
    passes: [2, "1,5", "{{Seconds}}", 3_600, "soon"].map(waiting),
  },
}
