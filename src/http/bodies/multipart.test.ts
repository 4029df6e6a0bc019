/** The file of a form comes out as it was, wherever the form is cut into parts. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { boundaryOf, fileOfForm } from "./multipart.ts"

const boundary = "x-1"
const named = (name: string, more = "") => `Content-Disposition: form-data; name="${name}"${more}`
const file = named("file", '; filename="a.png"')

/** A form of parts, each with its header lines. */
function formOf(parts: readonly (readonly [head: string, content: Buffer | string])[]): Buffer {
  const pieces = parts.flatMap(([head, content]) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0
  for (const size of sizes) {
    if (from < bytes.length) yield bytes.subarray(from, from + size)
    from += size
  }
  if (from < bytes.length) yield bytes.subarray(from)
}

async function read(form: Buffer, sizes: readonly number[] = []): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of fileOfForm(cut(form, sizes), boundary)) parts.push(part)
  return Buffer.concat(parts).toString("latin1")
}

test("the file is what stands between its header lines and the next boundary, however it comes", async () => {
  // Pieces of what ends a part, so that many contents nearly do.
  const piece = fc.constantFrom("\r", "\n", "\r\n", "-", "--", "x-", "x-1", "\r\n--x-", "a", "\0")
  const content = fc.array(piece).map((pieces) => pieces.join(""))
  const isWhole = async (text: string, sizes: number[]) => {
    fc.pre(!`\r\n${text}`.includes(`\r\n--${boundary}`))
    const form = formOf([
      [named("key"), "value"],
      [file, text],
      [named("after"), ""],
    ])
    expect(await read(form, sizes)).toBe(text)
  }
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 })
  await fc.assert(fc.asyncProperty(content, sizes, isWhole), { numRuns: 300 })
})

test("of several files the first one counts, and fields that are no files do not", async () => {
  const first = formOf([
    [named("file"), "a field"],
    [named("other", '; filename="b"'), "another name"],
    [`content-type: image/png\r\n${file}`, "the file"],
    [file, "a second one"],
  ])
  expect(await read(first)).toBe("the file")
  const quoted = formOf([[named("x", '; filename="; name=file"'), "no"]])
  await expect(read(quoted)).rejects.toMatchObject({ code: "BAD_REQUEST" })
})

test("what surrounds the parts is passed over", async () => {
  const form = Buffer.concat([
    Buffer.from("preamble\r\n"),
    formOf([[file, "x"]]),
    Buffer.from("epilogue\r\n\r\nmore"),
  ])
  expect(await read(form)).toBe("x")
})

test.each([
  ["nothing", ""],
  ["no boundary", "nonsense"],
  [
    "an end in the middle of the file",
    formOf([[file, "cut off"]])
      .toString()
      .slice(0, -12),
  ],
  ["an end in the middle of the header lines", `--${boundary}\r\nContent-Disposition: form-`],
  ["endless header lines", `--${boundary}\r\n${"x: y\r\n".repeat(5_000)}`],
])("a form that cannot be read is refused: %s", async (_, text) => {
  await expect(read(Buffer.from(text))).rejects.toMatchObject({ code: "PARSE_ERROR" })
})

test("the boundary is read from the type", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc")
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b"')).toBe("a b")
  expect(boundaryOf("image/png")).toBeUndefined()
  expect(() => boundaryOf("multipart/form-data")).toThrow("The form cannot be read")
})
