/** Variables of the workspace in conversations, and secrets among them: where they show, and where they leave. */
import { expect, it } from "vitest"
import type { Call } from "../../src/engine/calls.ts"
import { markOf } from "../../src/engine/variables/secretMarks.ts"
import {
  ask,
  type BotParts,
  block,
  bot,
  type Draft,
  group,
  idOf,
  say,
  set,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const mark = markOf("0123456789abcdef0123456789abcdef", "key")
const workspace = new Map([
  ["shop", { shown: "Tea & Co", sent: "Tea & Co" }],
  ["size", { shown: "42", sent: "42" }],
  ["key", { shown: "•••", sent: mark }],
])

const within = (parts: BotParts, ...blocks: Draft[]) =>
  talk(bot(parts, group("A", ...blocks), group("B", say("yes"))), { workspace })
const chat = (...blocks: Draft[]) => within({}, ...blocks)

/** The call at which a chat stands. */
function callOf<Kind extends Call["kind"]>({ turn }: ReturnType<typeof talk>, kind: Kind) {
  expect(turn.call?.kind).toBe(kind)
  return turn.call as Extract<Call, { kind: Kind }>
}

it("7.10 a variable of the workspace is in texts, conditions and code", () => {
  chat(
    say("{{$shop}}"),
    say("{{={{$size}} + 1=}}"),
    set("Double", "return {{$size}} * 2"),
    set("Copy", "{{$shop}}"),
    say("{{Double}} {{Copy}}"),
    when([["Double", "Equal to", "{{$size}}"]], { to: "A" }),
    when([["Copy", "Equal to", "{{$shop}}"]], { to: "B" }),
  )
    .bot("Tea & Co", "43", "84 Tea & Co", "yes")
    .ends()
})

it("7.10 an unknown name prints nothing, and a variable of the bot with the name comes first", () => {
  chat(say("<{{$none}}>"), say("{{$ shop}}.")).bot("<>", ".").ends()
  within({ variables: { $shop: "own" } }, say("{{$shop}}"))
    .bot("own")
    .ends()
  talk(bot(group("A", say("<{{$shop}}>"), say("<{{={{$shop}}=}}>"))))
    .bot("<>", "<>")
    .ends()
})

it("7.10 no chat sets a variable of the workspace, nor stores one", () => {
  const opened = talk(
    bot(
      group(
        "A",
        block("Code", { content: 'setVariable("$shop", "x")', isExecutedOnClient: false }),
        ask.text({ saves: "Name" }),
        say("{{$shop}}"),
      ),
    ),
    { workspace, prefilled: { $shop: "y" } },
  )
  opened.user("Ann").bot("Tea & Co").stored({ Name: "Ann" }).ends()
  expect(JSON.stringify(opened.turn.session)).not.toContain("Tea")
})

it("22.6 a secret shows as ••• in messages, inputs, conditions, variables and code of clients", () => {
  const shown = chat(
    say("{{$key}}"),
    say("{{={{$key}} + 1=}}"),
    set("Copy", "{{$key}}"),
    set("Text", "is {{$key}}"),
    set("Made", "return {{$key}}.length"),
    say("{{Copy}} {{Text}} {{Made}}"),
    block("Code", { content: "alert({{$key}})" }),
    ask.text({ labels: { placeholder: "{{$key}}" } }),
  )
  shown
    .bot("•••", "•••1", `••• is ••• ${mark.length}`)
    .does({ scriptToExecute: { content: "alert($key)", args: [{ id: "$key", value: "•••" }] } })
    .turns({ input: { options: { labels: { placeholder: "•••" } } } })
  chat(set("Copy", "•••"), when([["Copy", "Equal to", "{{$key}}"]], { to: "B" })).bot("yes")
  const script = chat(set("Made", "return {{$key}}.length"))
  expect(JSON.stringify(script.turn)).not.toContain(mark.slice(1, -1))
})

it("22.6 a secret is a mark in requests of the service, and ••• in what is logged of them", () => {
  const request = chat(
    block("Webhook", {
      isCustomBody: true,
      webhook: {
        url: "https://a.example/{{$shop}}",
        queryParams: [{ key: "k", value: "{{$key}}" }],
        headers: [
          { key: "Authorization", value: "Basic ann:{{$key}}" },
          { key: "X-Key", value: "{{$key}}" },
        ],
        body: '{"key":"{{$key}}","shop":"{{$shop}}"}',
      },
    }),
    ask.text(),
  )
  expect(callOf(request, "http").request).toEqual({
    method: "POST",
    url: `https://a.example/Tea & Co?k=${encodeURIComponent(mark)}`,
    headers: [
      ["Authorization", `Basic ann:${mark}`],
      ["X-Key", mark],
    ],
    body: {
      text: JSON.stringify({ key: mark, shop: "Tea & Co" }),
      contentType: "application/json",
    },
  })
  request.gets({ status: 500, text: "no" })
  expect(JSON.stringify(request.turn)).not.toContain("0123456789abcdef")
  expect(JSON.stringify(request.turn.logs)).toContain("https://a.example/Tea & Co?k=•••")
})

it("22.6 a request that the client makes has no secret", () => {
  const webhook = { url: "https://a.example", body: "{{$key}}" }
  chat(block("Webhook", { webhook, isCustomBody: true, isExecutedOnClient: true })).does({
    httpRequestToExecute: { body: "•••" },
  })
})

it("22.6 a request to a host that a visitor may choose has no secret", () => {
  const webhook = { url: "https://{{Host}}/a", body: "{{$key}}" }
  const prefilled = { Host: "evil.example" }
  const flow = bot(group("A", block("Webhook", { webhook, isCustomBody: true })))
  expect(callOf(talk(flow, { workspace, prefilled }), "http").request).toMatchObject({
    url: "https://evil.example/a",
    body: { text: "•••" },
  })
})

it("22.6 a secret is a mark in subjects and bodies of mails, and in scripts with requests", () => {
  const mail = chat(
    block("Email", {
      credentialsId: "c",
      recipients: ["a@b.example"],
      subject: "{{$key}}",
      body: "Key: {{$key}}",
      cc: ["{{$key}}@b.example"],
    }),
  )
  expect(callOf(mail, "email")).toMatchObject({ subject: mark, text: `Key: ${mark}` })
  expect(callOf(mail, "email").cc).toEqual(["•••@b.example"])
  const content = 'await fetch("https://a.example/" + {{$key}})'
  const asked: Call<"script">[] = []
  const script = (call: Call<"script">) => {
    asked.push(call)
    return { results: [{}] }
  }
  const flow = bot(group("A", block("Code", { content, isExecutedOnClient: false })))
  talk(flow, { workspace, answers: { script } }).ends()
  expect(asked[0]?.scripts).toEqual([
    {
      code: 'await fetch("https://a.example/" + $key)',
      globals: { $key: mark },
      mode: "program",
    },
  ])
})

it("22.6 a service with an account of its own gets no secret", () => {
  const asked = chat(
    block("openai", {
      action: "Create chat completion",
      credentialsId: "c",
      model: "m",
      messages: [{ role: "user", content: "{{$key}}" }],
      tools: [
        { type: "function", name: "look", code: "return await fetch({{$key}})" },
        { type: "function", name: "{{$key}}", code: "return 1" },
      ],
      responseMapping: [{ item: "Message content", variableId: idOf("Reply") }],
    }),
  )
  const call = callOf(asked, "model")
  expect(call.messages).toMatchObject([{ content: "•••" }])
  expect(call.tools?.map(({ name }) => name)).toEqual(["look", "•••"])
  expect(call.tools?.[0]?.script.globals).toEqual({ $key: mark })
})
