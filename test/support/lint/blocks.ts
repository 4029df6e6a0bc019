/** Examples for the rules about what blocks hold. */
import { ask, block, bot, group, idOf, say, when } from "../bots.ts"
import { type Example, type Examples, hello } from "./examples.ts"

const http = (webhook: object, type = "Webhook") => block(type, { webhook })

const headers = (key: string, value: string) =>
  bot(group("A", http({ url: "https://a.example", headers: [{ id: "h", key, value }] })))

const signed = (more: object) =>
  bot(
    group(
      "A",
      block("Webhook", { webhook: { url: "https://a.example", ...more }, credentialsId: "c" }),
    ),
  )

const completion = (options: object, type = "openai") =>
  block(type, { action: "Create chat completion", credentialsId: "c", ...options })

const regex = (pattern: string) =>
  bot(
    group("A", when([["Name", "Matches regex", pattern]], { to: "B" })),
    group("B", say("{{Name}}")),
  )

const shown = (condition: object) =>
  bot(
    group(
      "A",
      ask.choice([{ content: "Yes", displayCondition: { isEnabled: true, condition } }]),
      say("Bye"),
    ),
  )

/** By rule. */
export const blocks: Record<string, Examples> = {
  "choice-without-items": {
    fails: [
      [bot(group("A", ask.choice([]), say("x"))), "/groups/0/blocks/0/items"],
      [bot(group("A", { type: "picture choice input" }, say("x"))), "/groups/0/blocks/0"],
      [bot(group("A", { type: "cards", items: [] }, say("x"))), "/groups/0/blocks/0/items"],
    ],
    passes: [
      bot(group("A", ask.choice(["x"]), say("x"))),
      bot(group("A", ask.choice([], { dynamicVariableId: idOf("L") }), say("x"))),
      bot(
        group(
          "A",
          ask.picture({ dynamicItems: { isEnabled: true, pictureSrcsVariableId: idOf("L") } }),
          say("x"),
        ),
      ),
    ],
  },
  "choice-without-label": {
    fails: [
      [bot(group("A", ask.choice(["x", " "]), say("x"))), "/groups/0/blocks/0/items/1"],
      [
        bot(group("A", ask.picture({ items: [{ id: "p", description: "x" }] }), say("x"))),
        "/groups/0/blocks/0/items/0",
      ],
      [
        bot(group("A", ask.cards({ items: [{ id: "c", description: "x" }] }), say("x"))),
        "/groups/0/blocks/0/items/0",
      ],
    ],
    passes: [
      bot(group("A", ask.choice(["{{x}}"]), say("x"))),
      bot(group("A", ask.choice([""], { dynamicVariableId: idOf("L") }), say("x"))),
      bot(group("A", ask.picture({ items: [{ id: "p", pictureSrc: "x" }] }), say("x"))),
      bot(group("A", ask.cards({ items: [{ id: "c", imageUrl: "x" }] }), say("x"))),
    ],
  },
  "condition-without-comparisons": {
    fails: [
      [
        bot(group("A", when([], { to: "B" })), group("B", say("x"))),
        "/groups/0/blocks/0/items/0/content",
      ],
      [
        bot(group("A", { type: "Condition", items: [{ id: "i", to: "B" }] }), group("B", say("x"))),
        "/groups/0/blocks/0/items/0",
      ],
      [bot(group("A", { type: "Condition" })), "/groups/0/blocks/0"],
      [
        shown({ comparisons: [{ id: "c", comparisonOperator: "Is set" }] }),
        "/groups/0/blocks/0/items/0/displayCondition/condition/comparisons/0",
      ],
      [shown({}), "/groups/0/blocks/0/items/0/displayCondition/condition"],
    ],
    passes: [
      bot(group("A", when([["N", "Is set"]], { to: "B" })), group("B", say("{{N}}"))),
      bot(
        group(
          "A",
          ask.choice([{ content: "x", displayCondition: { isEnabled: false } }]),
          say("x"),
        ),
      ),
    ],
  },
  "invalid-regex": {
    fails: ["(", "/a/gg", "(a)\\1", `(?:${"a{1000}".repeat(9)}){9}`].map((pattern) => [
      regex(pattern),
      "/groups/0/blocks/0/items/0/content/comparisons/0/value",
    ]),
    passes: [regex("^a+$"), regex("/(a+)+$/i"), regex("{{Pattern}}")],
  },
  "unsupported-block": {
    fails: [[bot(group("A", block("hologram"))), "/groups/0/blocks/0/type"]],
    passes: [bot(hello)],
  },
  "missing-credential": {
    fails: [
      [bot(group("A", block("Email", { recipients: ["a@b.c"] }))), "/groups/0/blocks/0/options"],
      [bot(group("A", { type: "payment input" }, say("x"))), "/groups/0/blocks/0"],
      [
        bot(group("A", block("groq", { action: "Create chat completion" }))),
        "/groups/0/blocks/0/options",
      ],
      [
        {
          flow: bot(group("A", block("Email", { credentialsId: "foreign" }))),
          surroundings: { credentials: new Map() },
        },
        "/groups/0/blocks/0/options/credentialsId",
      ],
      [
        bot(group("A", block("groq", { mcpServers: [{ credentialsId: "any" }, {}] }))),
        "/groups/0/blocks/0/options/mcpServers/1",
      ],
      [
        {
          flow: bot(group("A", block("groq", { mcpServers: [{ credentialsId: "foreign" }] }))),
          surroundings: { credentials: new Map() },
        },
        "/groups/0/blocks/0/options/mcpServers/0/credentialsId",
      ],
    ],
    passes: [
      bot(group("A", block("Email", { credentialsId: "any" }))),
      {
        flow: bot(group("A", block("Email", { credentialsId: "default" }), block("groq"))),
        surroundings: { credentials: new Map() },
      },
      {
        flow: bot(group("A", block("Email", { credentialsId: "own" }))),
        surroundings: { credentials: new Map([["own", []]]) },
      },
    ],
  },
  "unlisted-host": {
    fails: [
      ...["https://llm.example/v1", "{{Base}}", "https://{{Host}}/v1", "http://api.openai.com"].map(
        (baseUrl): [Example, string] => [
          bot(group("A", completion({ baseUrl }), say("{{Reply}}"))),
          "/groups/0/blocks/0/options/baseUrl",
        ],
      ),
      [
        {
          flow: bot(group("A", completion({ baseUrl: "https://llm.example:8443" }, "OpenAI"))),
          surroundings: { credentials: new Map([["c", ["llm.example", "llm.example:444"]]]) },
        },
        "/groups/0/blocks/0/options/baseUrl",
      ],
      [
        { flow: signed({}), surroundings: { credentials: new Map([["c", ["a.example:8443"]]]) } },
        "/groups/0/blocks/0/options/webhook/url",
      ],
    ],
    passes: [
      signed({}),
      { flow: signed({}), surroundings: { credentials: new Map([["c", ["a.example"]]]) } },
      bot(group("A", completion({}))),
      bot(group("A", completion({ baseUrl: "https://eu.api.openai.com/v1" }))),
      bot(group("A", completion({ baseUrl: "https://llm.example", credentialsId: "" }))),
      ...["https://llm.example/{{Path}}", "https://other.example:8443", "https://{{Host}}"].map(
        (baseUrl) => ({
          flow: bot(group("A", completion({ baseUrl }))),
          surroundings: { credentials: new Map([["c", ["llm.example", "other.example:8443"]]]) },
        }),
      ),
    ],
  },
  "http-without-url": {
    fails: [
      [bot(group("A", http({ method: "GET" }))), "/groups/0/blocks/0/options/webhook"],
      [bot(group("A", http({ url: " " }, "Zapier"))), "/groups/0/blocks/0/options/webhook"],
      [bot(group("A", { type: "Make.com" })), "/groups/0/blocks/0"],
    ],
    passes: [bot(group("A", http({ url: "https://a.example" })))],
  },
  "secret-in-clear": {
    fails: [
      [
        headers("Authorization", "Bearer 0123456789abcdef"),
        "/groups/0/blocks/0/options/webhook/headers/0/value",
      ],
      [
        headers("X-Custom", `sk-${"a1".repeat(12)}`),
        "/groups/0/blocks/0/options/webhook/headers/0/value",
      ],
      [
        bot(group("A", http({ url: "https://ann:passw0rd@a.example" }))),
        "/groups/0/blocks/0/options/webhook/url",
      ],
      [
        bot({ variables: { Key: `AKIA${"A1".repeat(8)}` } }, group("A", say("{{Key}}"))),
        "/variables/0/value",
      ],
      [
        bot(group("A", block("Code", { content: `const key = "gsk_${"a1".repeat(10)}"` }))),
        "/groups/0/blocks/0/options/content",
      ],
    ],
    passes: [
      headers("Authorization", "Bearer {{Token}}"),
      headers("Accept", "application/json, text/plain"),
      bot(group("A", say("Basic information is asked for first, token by token"))),
    ],
  },
  "overridden-secret": {
    fails: [
      [
        signed({ headers: [{ key: "authorization", value: "{{Token}}" }] }),
        "/groups/0/blocks/0/options/webhook/headers/0/value",
      ],
      [
        signed({ queryParams: [{ key: "api_key", value: "{{Key}}" }] }),
        "/groups/0/blocks/0/options/webhook/queryParams/0/value",
      ],
    ],
    passes: [
      signed({ headers: [{ key: "Accept", value: "text/plain" }] }),
      headers("Authorization", "Bearer {{Token}}"),
    ],
  },
  "missing-secret": {
    fails: [
      [headers("Authorization", "•••"), "/groups/0/blocks/0/options/webhook/headers/0/value"],
      [
        bot(group("A", http({ url: "https://a.example/?token=•••&page=2" }))),
        "/groups/0/blocks/0/options/webhook/url",
      ],
    ],
    passes: [
      headers("Authorization", "Bearer {{Token}}"),
      bot(group("A", say("Password: ••••••••"))),
    ],
  },
}
