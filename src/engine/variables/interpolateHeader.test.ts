/** Headers keep visitor input one part of their value, or refuse it. */
import { describe, expect, it } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import { interpolateHeader } from "./interpolateHeader.ts"

const filled = (name: string, text: string, said: string) =>
  interpolateHeader(name, text, testScope({ variables: { A: said }, plain: ["A"] }))

/** Visitor input with a meaning in headers. */
const hostile = [
  "x; admin=1",
  "x, admin",
  'x"; filename="y.html',
  'x\\"; admin="1',
  "x\\",
  "a=b",
  "x: y",
  "ü %",
  "%3B",
  "x'y",
]

/** The parts of a value between separators that stand outside of quotation marks, quoted ones unescaped. */
function partsOf(value: string): string[] {
  const found = value.match(/(?:"(?:[^"\\]|\\.)*"|[^;,"])+/g) ?? []
  return found.map((part) => part.trim().replaceAll(/\\(.)/g, "$1"))
}

describe("20.1 visitor input in a header", () => {
  it.each(hostile)("stays one cookie: %s", (said) => {
    const all = filled("Cookie", "theme={{A}}; role=user", said)
    const value = "value" in all ? all.value : ""
    const [theme = "", role] = value.split("; ")
    expect([theme.slice(0, 6), role]).toEqual(["theme=", "role=user"])
    // Decoded like a cookie, with literal `%`.
    expect(decodeURIComponent(theme.slice(6).replaceAll(/%(?![\dA-F]{2})/g, "%25"))).toBe(
      said.replaceAll("%3B", ";"),
    )
    const named = filled("cookie", "{{A}}=1; role=user", said)
    expect("value" in named && named.value.match(/[=;,]/g)).toEqual(["=", ";", "="])
  })

  it.each(hostile)("stays within quotation marks: %s", (said) => {
    const texts = [
      ["Content-Disposition", 'attachment; filename="{{A}}"; size=3'],
      ["Authorization", 'Digest username="{{A}}", realm="r"'],
      ["If-Match", '"{{A}}", "b"'],
      ["X-Note", 'say \\ "{{A}}", then'],
    ] as const
    for (const [name, text] of texts) {
      const all = filled(name, text, said)
      expect(partsOf("value" in all ? all.value : "")).toEqual(
        partsOf(text.replace("{{A}}", "@")).map((part) => part.replace("@", said)),
      )
    }
  })

  it.each(hostile)("stays one extended parameter: %s", (said) => {
    const all = filled("Content-Disposition", "attachment; filename*=UTF-8''{{A}}; x=1", said)
    const value = "value" in all ? all.value : ""
    const [, name = ""] = value.split(/; filename\*=UTF-8''|; x=1/)
    expect(name).toMatch(/^[\w.~!%-]*$/)
    expect(decodeURIComponent(name)).toBe(said)
  })

  it.each([
    "text/plain; charset={{A}}",
    "admin, {{A}}",
    "role={{A}}",
    "{{A}}; q=1",
    '"quoted", {{A}}',
  ])("is refused in %s if it contains a separator", (text) => {
    for (const said of ["x, y", "x;y=1", 'x"y']) {
      expect(filled("X-Any", text, said)).toEqual({
        problem: "The value contains a comma, a semicolon or a quotation mark",
      })
    }
    expect(filled("X-Any", text, "plain words")).toEqual({
      value: text.replace("{{A}}", "plain words"),
    })
  })

  it("is a name or a password, and never both", () => {
    const basic = (text: string, said: string) => filled("authorization", text, said)
    expect(basic("Basic {{A}}:secret", "admin:x")).toEqual({
      problem: "The value is the name of a user and contains a colon",
    })
    expect(basic("Basic {{A}}:secret", "ann")).toEqual({ value: "Basic ann:secret" })
    expect(basic("Basic ann:{{A}}", "a:b,c")).toEqual({ value: "Basic ann:a:b,c" })
    expect(basic("Basic {{A}}", "ann:pass")).toEqual({ value: "Basic ann:pass" })
  })

  it.each(["x\r\nEvil: 1", "x\ny", "x\0y"])("is refused with line breaks: %j", (said) => {
    for (const text of ["{{A}}", "Hello {{A}}", '"{{A}}"', "Basic u:{{A}}"]) {
      const name = text.startsWith("Basic") ? "Authorization" : "X-Name"
      expect(filled(name, text, said)).toEqual({
        problem: "The value of a variable has several lines",
      })
    }
    const made = interpolateHeader("X", "{{B}}", testScope({ variables: { B: said } }))
    expect(made).toEqual({ problem: "The value has several lines" })
  })

  it("is the whole value if the template is one token, and free text beside plain words", () => {
    expect(filled("X-Tags", "{{A}}", 'a, b; "c"')).toEqual({ value: 'a, b; "c"' })
    expect(filled("X-Title", "Hello {{A}}!", "Smith, Bob")).toEqual({ value: "Hello Smith, Bob!" })
    expect(filled("X-Title", "Hello {{A}}", "Ann\n")).toEqual({ value: "Hello Ann" })
    expect(filled("X-Title", "{{A}}", "✓")).toEqual({
      problem: "The value has characters beyond ISO 8859-1",
    })
  })

  it("does not change values of the author", () => {
    const scope = testScope({ variables: { A: 'a; "b"' }, inline: { "f()": "c, d" } })
    expect(interpolateHeader("Cookie", "x=1; {{A}}={{=f()=}}", scope)).toEqual({
      value: 'x=1; a; "b"=c, d',
    })
  })
})
