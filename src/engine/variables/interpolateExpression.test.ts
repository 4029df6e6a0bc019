/** Expressions of authors treat visitor input as a value, never as code. */
import { describe, expect, it } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import { interpolateExpression } from "./interpolateExpression.ts"

const said = (text: string, value: string) =>
  interpolateExpression(text, testScope({ variables: { A: value, B: "b" }, plain: ["A"] }))

/** The result of an expression where `data` has these members. */
function evaluated(text: string, value: string): unknown {
  const data = { ann: 1, "x y": 2, list: ["a", "b"], secret: "TOP", user_ann: 3, b: 4 }
  const code = `return ${said(text, value)}`
  return new Function("data", code)(data)
}

describe("20.4 visitor input", () => {
  it("is the rest of a name, a number, or a text, by its place", () => {
    expect(evaluated("data.{{A}}", "ann")).toBe(1)
    expect(evaluated("data.user_{{A}}", "ann")).toBe(3)
    expect(evaluated("data[{{A}}]", "x y")).toBe(2)
    expect(evaluated('data["{{A}}"]', "x y")).toBe(2)
    expect(evaluated("data['{{A}}']", "x y")).toBe(2)
    expect(evaluated("data.list[{{A}}]", "1")).toBe("b")
    expect(evaluated("data.list.concat({{A}}).at(-1)", 'He said "hi"\n')).toBe('He said "hi"\n')
    expect(evaluated("`Dear {{A}}`", "x`y")).toBe("Dear x`y")
    expect(evaluated("{{A}}", "007")).toBe("007")
  })

  it.each([
    "data.secret",
    "secret; data.secret",
    '"]; data.secret; //',
    '" + data.secret + "',
    "' + data.secret + '",
    `$${"{data.secret}"}`,
    "`+data.secret+`",
    "/+data.secret+/",
    "*/data.secret/*",
    "x\ndata.secret",
    "x\u2028data.secret",
    "\\",
  ])("is never code: %s", (value) => {
    const texts = [
      "{{A}}",
      "data.{{A}}",
      "data[{{A}}]",
      '"{{A}}"',
      "'{{A}}'",
      "`{{A}}`",
      `\`$${"{{{A}}}"}\``,
      "/{{A}}/.source",
      "1 // it's {{A}}",
      "/* it's */ {{A}}",
      '"a\\"{{A}}"',
      '[/"/, {{A}}][1]',
    ]
    for (const text of texts) {
      const result = attempted(() => evaluated(text, value))
      expect([text, String(result).includes("TOP")]).toEqual([text, false])
    }
  })

  it("does not change values of the author", () => {
    expect(said("data.{{B}} + {{A}}", "x y")).toBe('data.b + "x y"')
    const scope = testScope({ variables: { A: "data.secret" }, inline: { "f()": "c, d" } })
    expect(interpolateExpression("{{A}} + {{=f()=}}", scope)).toBe("data.secret + c, d")
  })
})

/** The result; "" on failure. */
function attempted(evaluate: () => unknown): unknown {
  try {
    return evaluate()
  } catch {
    return ""
  }
}
