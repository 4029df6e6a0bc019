/** Chapters 7 to 9: variables, code and conditions. */
import { describe, expect, it } from "vitest"
import {
  ask,
  type BotParts,
  block,
  bot,
  group,
  idOf,
  link,
  p,
  say,
  set,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const given = (variables: BotParts["variables"], ...blocks: ReturnType<typeof say>[]) =>
  talk(bot({ variables: variables ?? {} }, group("g", ...blocks)))

describe("7.1 the stored form", () => {
  it("is a text, a list of texts, or nothing", () => {
    const stored: [string, unknown][] = [
      ["return 42", "42"],
      ["return true", "true"],
      ["return ({ a: [1] })", '{"a":[1]}'],
      ['return [1, "", null, { a: 1 }]', ["1", null, null, '{"a":1}']],
      ['return ""', undefined],
      ["return null", undefined],
      ['return "a\\\\qb"', "a\\qb"],
      ['return "a\\\\nb"', "a\\nb"],
      ['return "a" + String.fromCharCode(0xd800)', "a\ufffd"],
    ]
    for (const [expression, value] of stored) given({}, set("A", expression)).knows("A", value)
  })

  it("an unknown variable is written by no block", () => {
    const lost = { type: "Set variable", options: { variableId: "?", expressionToEvaluate: "1" } }
    given({ A: "a" }, lost, say("{{A}}")).bot("a").stored({ A: "a" }).ends()
  })

  it("a variable that changed goes last", () => {
    given({ A: "1", B: "2" }, set("A", '"3"')).turns({
      session: {
        queue: [
          {
            values: [
              [idOf("B"), "2"],
              [idOf("A"), "3"],
            ],
          },
        ],
      },
    })
  })
})

describe("7.2 names", () => {
  it("are matched exactly", () => {
    given(
      { Name: "Ann", "a.b": "dot", "L[0]": "bracket" },
      say("-{{ Name }}{{name}}-{{a.b}}{{L[0]}}"),
    )
      .bot("--dotbracket")
      .ends()
  })
})

describe("7.3 interpolation", () => {
  it("prints nothing for unset or unknown variables, and keeps a dollar in front", () => {
    const url = `https://e.com/\${{P}}/{{U}}{{L}}`
    given({ P: "5", L: ["a"] }, block("Redirect", { url })).does({
      redirect: { url: 'https://e.com/$5/["a"]' },
    })
  })

  it("does not read values as templates", () => {
    given(
      { A: "{{B}}{{=1=}}", B: "secret" },
      say("-{{A}}"),
      block("Redirect", { url: "http{{A}}" }),
    )
      .bot("-{{B}}{{=1=}}")
      .does({ redirect: { url: "http{{B}}{{=1=}}" } })
  })

  it("prints nothing for inline code without a result", () => {
    given({}, say("-{{=undefined=}}{{=null=}}{{=[1,2]=}}")).bot("-[1,2]")
  })
})

describe("7.4 structures", () => {
  it("leave texts that are elements of a list as they are", () => {
    const theme = { general: { font: { type: "Google", family: "{{F}}" } } }
    const chat = talk(bot({ theme, variables: { F: "Inter" } }, group("g", ask.text())))
    chat.turns({ appearance: { theme: { general: { font: { family: "Inter" } } } } })
  })
})

describe("7.5 inline code", () => {
  it("sees every variable with its type guessed", () => {
    given(
      { Age: "42", Zip: "01234", Tel: "+33", Yes: "true", L: ["1"] },
      say(
        "-{{={{Age}} + 1=}} {{={{Zip}} + 1=}} {{={{Tel}} + 1=}} {{=!{{Yes}}=}} {{={{L}}[0] + 1=}}",
      ),
    ).bot("-43 012341 +331 false 11")
  })

  it("gets its return unless it has one", () => {
    given({}, say("-{{=const a = 2; return a * 3=}}")).bot("-6")
  })

  it("may cut a character in two, also within an address", () => {
    const first = "{{={{Name}}[0]=}}"
    const request = {
      method: "GET",
      url: "https://a.test",
      queryParams: [{ key: "i", value: first }],
    }
    const blocks = [block("Webhook", { webhook: request }), say(`Hi ${first}`)]
    const http = () => ({ status: 200, text: "{}" })
    talk(bot({ variables: { Name: "😀 Ann" } }, group("g", ...blocks)), { answers: { http } }).bot(
      "Hi \ufffd",
    )
  })

  it("is evaluated anew at each visit", () => {
    talk(
      bot(
        { variables: { N: "1" } },
        group("g", say("-{{={{N}} * 2=}}"), ask.text({ saves: "N", to: "g" })),
      ),
    )
      .bot("-2")
      .user("5")
      .bot("-10")
  })

  it("is evaluated anew after a block that asked another system", () => {
    const twice = "{{={{N}} * 2=}}"
    const request = {
      webhook: { url: `https://a.test/${twice}` },
      responseVariableMapping: [{ id: "1", variableId: idOf("N"), bodyPath: "data" }],
    }
    const flow = bot(
      { variables: { N: "1" } },
      group("g", block("Webhook", request), say(`-${twice}`)),
    )
    const http = () => ({ status: 200, text: "5" })
    talk(flow, { answers: { http } }).bot("-10")
  })

  it("may be the name of what every object has", () => {
    given({}, say("-{{=__proto__ === 1=}}{{=toString === 1=}}{{=__proto__=}}")).bot("-falsefalse{}")
  })

  it("in a reply's bounds and in the system's texts is evaluated when the reply is judged", () => {
    const settings = { general: { systemMessages: { invalidMessage: "At most {{={{M}} * 2=}}" } } }
    talk(
      bot(
        { settings, variables: { M: "5" } },
        group("g", ask.number({ max: "{{={{M}} * 2=}}" }), say("ok")),
      ),
    )
      .user("11")
      .bot("At most 10")
      .user("9")
      .bot("ok")
      .ends()
  })
})

describe("7.8 prefilled variables", () => {
  it("replace defaults, are normalised, and unknown names are ignored", () => {
    const flow = bot({ variables: { A: "a", B: "b", C: "c", D: null } }, group("g", ask.text()))
    talk(flow, { prefilled: { A: 5, B: "", C: null, D: { x: 1 }, "?": 1 } })
      .knows("A", "5")
      .knows("B", undefined)
      .knows("C", undefined)
      .knows("D", '{"x":1}')
  })

  it("are applied to a flow that leads nowhere too", () => {
    const flow = { ...bot({ variables: { A: null } }, group("g")), edges: [] }
    talk(flow, { prefilled: { A: "x" } }).knows("A", "x")
  })
})

describe("7.9 session variables", () => {
  it("can be used but are never stored with the result", () => {
    const flow = bot(
      { variables: { S: "s" }, sessionVariables: ["S"] },
      group("g", say("{{S}}"), ask.text()),
    )
    talk(flow).bot("s").stored({})
  })

  it("are never stored by a linked bot either, which may show them", () => {
    const shows = bot({ variables: { Pin: null } }, group("k", say("{{Pin}}"), ask.text()))
    for (const mergeResults of [false, true]) {
      const into = link("kid", { mergeResults })
      const parts = { variables: { Pin: "1234" }, sessionVariables: ["Pin"] }
      const chat = talk(bot(parts, group("g", say("Hi"), into)), { linked: { kid: shows } })
      chat.bot("Hi", "1234").asks("text input")
      expect(chat.results.flatMap(({ row }) => row?.variables ?? [])).toEqual([])
    }
  })
})

describe("8.1 code at the server", () => {
  const script = (content: string) => block("Code", { content, isExecutedOnClient: false })

  it("gets the variables that it mentions and sets others by name", () => {
    given(
      { N: "2", Out: null },
      script('setVariable("Out", {{N}} + 1); setVariable("?", 1)'),
      say("{{Out}}"),
    )
      .bot("3")
      .ends()
  })

  it("keeps the last value that it set", () => {
    given({ A: null }, script('setVariable("A", 1); setVariable("A", 2)')).knows("A", "2")
  })

  it("finds variables in template literals", () => {
    given(
      { N: "Ann", Out: null },
      script("setVariable('Out', `Hi $".concat("{{{N}}}`)")),
      say("{{Out}}"),
    ).bot("Hi Ann")
  })

  it("continues with a log when it fails", () => {
    const chat = given({}, script("throw new Error('oops')"), say("on")).bot("on").ends()
    expect(chat.turn.logs).toMatchObject([
      { context: "While executing function", description: expect.stringContaining("oops") },
    ])
    expect(chat.turn.logs[0]?.status).toBeUndefined()
  })
})

describe("8.2 Set variable expressions", () => {
  it("ignores setVariable", () => {
    given({ B: "b" }, set("A", 'setVariable("B", 1); return 2')).knows("B", "b")
  })

  it("takes plain text by failing, and reports only failures of code", () => {
    const failing = "{{N}} is (not code"
    const plain = given({ N: "5" }, set("A", failing)).knows("A", "5 is (not code")
    expect(plain.turn.logs).toEqual([])
    const code = { isCode: true, saveErrorInVariableId: idOf("E") }
    const failed = given({ N: "5" }, set("A", failing, code)).knows("A", "5 is (not code")
    expect(failed.turn.logs).toHaveLength(1)
    expect(failed.turn.session.queue[0]?.values.map(([id]) => id)).toContain(idOf("E"))
  })

  it("computes a text that happens to be code", () => {
    const computed: [string, string][] = [
      ["1 + 1", "2"],
      ["1,5", "5"],
      ["100200", "100200"],
    ]
    for (const [text, value] of computed) given({}, set("A", text)).knows("A", value)
  })

  it("overwrites with nothing", () => {
    given({ A: "a" }, { type: "Set variable", options: { variableId: idOf("A") } }).knows(
      "A",
      undefined,
    )
  })
})

describe("8.3 code at the client", () => {
  it("is sent with the variables that it mentions, by their ids and with their types", () => {
    const content = "f({{N}}, {{L}}, {{U}})"
    given({ N: "42", L: ["a"] }, block("Code", { content, isUnsafe: true })).does({
      scriptToExecute: {
        content: `f(${idOf("N")}, ${idOf("L")}, ${idOf("U")})`,
        args: [{ id: idOf("N"), value: 42 }, { id: idOf("L"), value: ["a"] }, { id: idOf("U") }],
        isUnsafe: true,
      },
    })
  })
})

describe("9.1 conditions", () => {
  const judged = (variables: BotParts["variables"], ...how: Parameters<typeof when>) => {
    const [comparisons, more] = how
    const yes = { ...more, to: "yes", otherwise: "no" }
    const groups = [group("yes", say("yes")), group("no", say("no"))]
    return talk(bot({ variables: variables ?? {} }, group("g", when(comparisons, yes)), ...groups))
  }

  it("hold when all comparisons do, or any with OR", () => {
    const two: Parameters<typeof when>[0] = [
      ["A", "Equal to", "1"],
      ["B", "Equal to", "1"],
    ]
    judged({ A: "1", B: "2" }, two).bot("no")
    judged({ A: "1", B: "2" }, two, { logicalOperator: "OR" }).bot("yes")
  })

  it("without comparisons never hold, nor does a comparison without its parts", () => {
    judged({}, []).bot("no")
    const half = {
      type: "Condition",
      items: [{ id: "i", content: { comparisons: [{ id: "1" }] } }, { id: "j" }],
    }
    given({}, half, say("no")).bot("no")
  })

  it("take the first item that holds", () => {
    const item = (to: string) => ({
      id: to,
      to,
      content: { comparisons: [{ id: "1", variableId: idOf("A"), comparisonOperator: "Is set" }] },
    })
    const flow = bot(
      { variables: { A: "a" } },
      group("g", { type: "Condition", items: [item("one"), item("two")] }),
      group("one", say("one")),
      group("two", say("two")),
    )
    talk(flow).bot("one").ends()
  })

  it("9.2 compare with the raw value of a variable, list or not", () => {
    judged({ A: ["x", "x"], B: "x" }, [["A", "Equal to", "{{B}}"]]).bot("yes")
    judged({ A: "x", L: ["x", "y"] }, [["A", "Starts with", "{{L}}"]]).bot("no")
    judged({ A: null, U: null }, [["A", "Is empty"]]).bot("yes")
    judged({ A: "2" }, [["A", "Greater than", "{{U}}"]]).bot("yes")
  })
})

describe("10.2 rich text", () => {
  it("interpolates addresses and keeps everything else of an element", () => {
    const node = {
      type: "a",
      url: "https://e.com/{{A}}",
      target: "_self",
      children: [{ text: "go" }],
    }
    const linked = { type: "text", content: { richText: [{ type: "p", children: [node] }] } }
    given({ A: "1" }, linked).rich({ type: "p", children: [{ ...node, url: "https://e.com/1" }] })
    given({}, say("a"), say("")).rich(p("a")).rich(p(""))
  })
})
