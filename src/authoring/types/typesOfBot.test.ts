/** The TypeScript of a bot, and its stability. botTypes.test.ts compiles it. */
import { describe, expect, test } from "vitest"
import {
  ask,
  type BotParts,
  block,
  bot,
  type DraftGroup,
  group,
  idOf,
  say,
} from "../../../test/support/bots.ts"
import { fixtureBot, fixtureNames, readFixture } from "../../../test/support/fixtureBots.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import { type Flow, prepareBot } from "../../engine/bot.ts"
import { isTypeName, typeNameOf } from "./typeName.ts"
import { typesOfBot } from "./typesOfBot.ts"

const typesOf = (flow: Flow, name = "Signup") => typesOfBot(prepareBot(flow, "", ""), name)

const plans = ["Free", { content: "Professional", value: "pro" }]
const mapped = (...paths: string[]) => ({
  responseVariableMapping: paths.map((bodyPath) => ({ variableId: idOf("Paid"), bodyPath })),
})
const post = (body: string) =>
  block("Webhook", { webhook: { url: "https://crm.example", body }, isCustomBody: true })

const signup = bot(
  { variables: { Source: "web", Paid: null, Code: null }, sessionVariables: ["Code"] },
  group(
    "Welcome",
    say("Hi {{Source}}"),
    ask.text({ saves: "Name", id: "name" }),
    ask.email({ id: "mail" }),
  ),
  group(
    "Plan",
    ask.choice(plans, { saves: "Plan", id: "plan" }),
    ask.choice(["News", "Tips"], { isMultipleChoice: true, id: "topics" }),
  ),
  group(
    "Pay",
    block("webhook", mapped("data.order.id", "statusCode"), { id: "paid" }),
    post('{ "name": "{{Name}}", "plan": {{Plan}}, "kind": "signup" }'),
  ),
)

test("a module describes the answers, variables and bodies of a bot", () => {
  expect(typesOf(signup)).toMatchInlineSnapshot(`
    "/** Answers, variables and bodies of the bot. Made by \`parley types\`: do not edit. */
    export type Signup = {
      /** Variables by name, as in results; absent: no value. */
      variables: {
        Source?: string | (string | null)[]
        Paid?: string | (string | null)[]
        /** Never in results: only the chat has it. */
        Code?: string | (string | null)[]
        Name?: string | (string | null)[]
        Plan?: string | (string | null)[]
      }
      /** Variables that a start may set: numbers and the like become texts. */
      prefilled: { [name in keyof Signup["variables"]]?: string | number | boolean | null | readonly (string | number | boolean | null)[] }
      /**
       * The last answer to each question, under its name in results: its variable,
       * else the title of its group, numbered from the second question of the group on.
       */
      answers: {
        /** Text question in the group "Welcome", block "name". */
        Name?: string
        /** Email address in the group "Welcome", block "mail". */
        "Welcome (1)"?: string
        /** Buttons in the group "Plan", block "plan". */
        Plan?: "Free" | "pro"
        /** Buttons in the group "Plan", block "topics". */
        "Plan (1)"?: string
      }
      /** Choices of questions, as in answers; lists where several can be chosen. */
      choices: {
        /** Buttons in the group "Plan", block "plan". */
        Plan: "Free" | "pro"
        /** Buttons in the group "Plan", block "topics". */
        "Plan (1)": ("News" | "Tips")[]
      }
      /** Bodies of the calls that it waits for, and of the requests that it makes. */
      webhooks: {
        /** Incoming webhook in the group "Pay", block "paid". */
        "Pay / Incoming webhook": {
          order: {
            id: unknown
          }
        }
        /** HTTP request in the group "Pay", block "b2". */
        "Pay / HTTP request": {
          name: string
          plan: unknown
          kind: "signup"
        }
      }
    }
    "
  `)
})

test("it also describes a bot of former versions", () => {
  const name = typeNameOf(String(fixtureBot("v5-quiz").name))
  expect(typesOf(readFixture("v5-quiz").sent, name)).toMatchInlineSnapshot(`
    "/** Answers, variables and bodies of the bot. Made by \`parley types\`: do not edit. */
    export type Quiz = {
      /** Variables by name, as in results; absent: no value. */
      variables: {
        Picked?: string | (string | null)[]
        Tries?: string | (string | null)[]
        Age?: string | (string | null)[]
      }
      /** Variables that a start may set: numbers and the like become texts. */
      prefilled: { [name in keyof Quiz["variables"]]?: string | number | boolean | null | readonly (string | number | boolean | null)[] }
      /**
       * The last answer to each question, under its name in results: its variable,
       * else the title of its group, numbered from the second question of the group on.
       */
      answers: {
        /** Picture choice in the group "Ask", block "b-pick". */
        Picked?: "Cat" | "Dog"
        /** Number question in the group "End", block "b-number". */
        Age?: string
      }
      /** Choices of questions, as in answers; lists where several can be chosen. */
      choices: {
        /** Picture choice in the group "Ask", block "b-pick". */
        Picked: "Cat" | "Dog"
      }
      /** Bodies of the calls that it waits for, and of the requests that it makes. */
      webhooks: { [name: string]: never }
    }
    "
  `)
})

/** The members of one part of the type, without comments. */
function part(name: string, groups: DraftGroup[], parts: BotParts = {}): string {
  const text = typesOf(bot(parts, ...groups)).replace(/ *\/\*\*[\s\S]*?\*\/\n/g, "")
  const [, found = ""] = new RegExp(`\n  ${name}: ([\\s\\S]*?)\n(?:  \\w|})`).exec(text) ?? []
  return found.replace(/\s+/g, " ")
}

describe("answers and choices", () => {
  test("of questions that save to one variable form a union", () => {
    const groups = [
      group("A", ask.choice(["Yes", "No"], { saves: "Ok" })),
      group("B", ask.choice(["No", "Later"], { saves: "Ok" })),
    ]
    expect(part("answers", groups)).toBe('{ Ok?: "Yes" | "No" | "Later" }')
    const typed = [...groups, group("C", ask.text({ saves: "Ok" }))]
    expect(part("answers", typed)).toBe("{ Ok?: string }")
    expect(part("choices", typed)).toBe('{ Ok: "Yes" | "No" | "Later" }')
  })

  test("that variables decide may be any text", () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `Choice ${index}`)
    for (const question of [
      ask.choice(["Yes", "{{Name}}"]),
      ask.choice(["Yes"], { dynamicVariableId: idOf("Name") }),
      ask.choice([]),
      ask.choice(["x".repeat(1_001)]),
      ask.choice(many),
    ]) {
      expect(part("choices", [group("A", question)])).toBe("{ A: string }")
    }
  })

  test("are lists of choices where several can be chosen, and a text of them", () => {
    const groups = [group("A", ask.choice(["Yes", "No"], { isMultipleChoice: true }))]
    expect(part("choices", groups)).toBe('{ A: ("Yes" | "No")[] }')
    expect(part("answers", groups)).toBe("{ A?: string }")
  })

  test("of cards are their titles, else their pictures", () => {
    const items = [
      { id: "a", title: "Cat" },
      { id: "b", imageUrl: "https://e.com/dog.png" },
      { id: "c" },
    ]
    const groups = [group("A", ask.cards({ items }))]
    expect(part("choices", groups)).toBe('{ A: "Cat" | "https://e.com/dog.png" }')
  })

  test("of a group with several questions are numbered", () => {
    const groups = [group("A", ask.text(), ask.text({ saves: "Name" }), ask.text())]
    expect(part("answers", groups)).toBe('{ A?: string Name?: string "A (2)"?: string }')
  })
})

describe("bodies", () => {
  const read = (...paths: string[]) =>
    bodyOf(block("webhook", mapped(...paths)), "Incoming webhook")
  const sent = (body: string) => bodyOf(post(body), "HTTP request")
  const bodyOf = (sole: ReturnType<typeof block>, label: string) =>
    part("webhooks", [group("A", sole)], { variables: { Paid: null } }).replace(
      new RegExp(`^{ "A / ${label}": (.*) }$`),
      "$1",
    )

  test("of calls have the members that are read", () => {
    expect(read("data.a.b", "return data.a['c d'];", 'data?.e[0]["f"]')).toBe(
      '{ a: { b: unknown "c d": unknown } e: ({ f: unknown })[] }',
    )
    expect(read("data.a", "data.a.b")).toBe("{ a: { b: unknown } }")
    expect(read("data.list.length", "data.list[0]")).toBe("{ list: unknown[] }")
    expect(read("data.a", "data.b ?? data.c")).toBe("{ a: unknown } & { [name: string]: unknown }")
    expect(read("Object.keys(data)")).toBe("{ [name: string]: unknown }")
    expect(read()).toBe("{ [name: string]: unknown }")
  })

  test("of requests follow the author's body", () => {
    expect(sent('{ "a": "x", "b": "Hi {{Name}}", "c": [1, null, true, {{Age}}], "d": {} }')).toBe(
      '{ a: "x" b: string c: (number | null | boolean | unknown)[] d: { [name: string]: never } }',
    )
    expect(sent('{ "a": "{{= f("x") =}}", "{{Name}}": 1 }')).toBe(
      "{ a: string } & { [name: string]: unknown }",
    )
    for (const other of ["{{Body}}", "a=b", '{ "a": {{Age }', "1{{", `"${"x".repeat(64_000)}"`]) {
      expect(sent(other)).toBe("unknown")
    }
    const deep = "[".repeat(30_000) + "]".repeat(30_000)
    expect(sent(deep)).toBe(`${"(".repeat(7)}unknown[]${")[]".repeat(7)}`)
  })

  test("are all values of the chat without a body of the author; a GET has none", () => {
    const request = (webhook: object) => group("A", block("Webhook", { webhook }))
    expect(part("webhooks", [request({ url: "https://e.com" })])).toContain("submittedAt: string")
    expect(part("webhooks", [request({ url: "https://e.com", method: "GET" })])).toBe(
      "{ [name: string]: never }",
    )
  })

  test("have names of their own", () => {
    const groups = [group("A", post("1"), post("2")), group("B", post("3"))]
    expect(part("webhooks", groups)).toBe(
      '{ "A / HTTP request": number "A / HTTP request (2)": number "B / HTTP request": number }',
    )
  })
})

describe.each(fixtureNames)("%s", (name) => {
  const { sent } = readFixture(name)
  const text = typesOf(sent)

  test("has every variable, question and choice", () => {
    for (const variable of sent.variables)
      expect(text).toMatch(new RegExp(`^ {4}"?${variable.name}"?\\?: `, "m"))
    for (const each of sent.groups.flatMap(({ blocks }) => blocks)) {
      const type = typeOf(each)
      if (type.kind === "input") expect(text).toContain(`block "${each.id}".`)
      const choices = type.kind === "input" ? (type.choices?.(each) ?? []) : []
      for (const choice of choices) {
        if (!choice.includes("{{")) expect(text).toContain(JSON.stringify(choice))
      }
    }
  })

  test("has the same types for all coordinates of groups and ids of edges", () => {
    const moved = sent.groups.map((each) => ({ ...each, graphCoordinates: { x: 7, y: -7 } }))
    const edges = sent.edges.map((edge) => ({ ...edge, id: `${edge.id}-new` }))
    expect(typesOf({ ...sent, groups: moved, edges })).toBe(text)
  })
})

test("long names are cut where results cut them, or omitted where they are needed whole", () => {
  const long = "n".repeat(5_000)
  const [asked, ...others] = bot(group("A", ask.text(), ask.text({ saves: "Name" }))).groups
  const flow: Flow = {
    ...signup,
    groups: asked ? [{ ...asked, title: "t".repeat(5_000) }, ...others] : [],
    variables: [
      { id: idOf("Name"), name: long },
      { id: "v", name: "Short" },
    ],
  }
  const text = typesOf(flow)
  expect(text).toContain(`"${"t".repeat(99)}…"?: string`)
  expect(text).toContain(`"${"n".repeat(99)}…"?: string`)
  expect(text).toContain("Names of more than 100 characters are left out: 1.")
  expect(text.length).toBeLessThan(3_000)
})

test("of variables of one name the first counts", () => {
  const variables = [
    { id: "a", name: "Code" },
    { id: "b", name: "Code", isSessionVariable: true },
  ]
  expect(typesOf({ ...signup, variables })).not.toContain("Never in results")
  expect(typesOf({ ...signup, variables: variables.toReversed() })).toContain("Never in results")
})

test("10,000 variables and 5,000 questions take a moment, and less space than the bot", () => {
  const variables = Array.from({ length: 10_000 }, (_, index) => ({
    id: `v${index}`,
    name: `Name ${index}`,
  }))
  const questions = Array.from({ length: 5_000 }, () => ask.choice(["Yes", "No"], { saves: "One" }))
  const flow = {
    ...bot(group("A", ...questions)),
    variables: [...variables, { id: idOf("One"), name: "One" }],
  }
  const begin = performance.now()
  const { length } = typesOf(flow)
  expect(performance.now() - begin).toBeLessThan(5_000)
  expect(length).toBeLessThan(JSON.stringify(flow).length)
})

test.each([
  ["Sign up!", "SignUp"],
  ["inscrição de alunos", "InscricaoDeAlunos"],
  ["3 questions", "Questions"],
  ["登録", "Bot"],
  ["", "Bot"],
  ["*/ alert(1) /*", "Alert1"],
  ["a".repeat(5_000), `A${"a".repeat(59)}`],
])("the type of %o is called %s", (botName, name) => {
  expect(typeNameOf(botName)).toBe(name)
  expect(isTypeName(name)).toBe(true)
})

test.each(["", "class", "string", "a b", "x;", "a".repeat(61)])("no type is called %o", (name) => {
  expect(isTypeName(name)).toBe(false)
})
