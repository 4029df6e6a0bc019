/** Lists of file addresses that are taken. */
import { expect, test } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { createFuel, liveLimits, OutOfFuel } from "../../../budget/fuel.ts"
import { type FileInputBlock, fileInputBlock, fileInputBlockSchema } from "./block.ts"

const blockWith = (options?: FileInputBlock["options"]): FileInputBlock =>
  fileInputBlockSchema.parse({ id: "i", type: "file input", ...(options && { options }) })

const context = testScene({ chat: { ownHost: "parley" } })
const reply = (text: string, options?: FileInputBlock["options"]) =>
  fileInputBlock.reply(blockWith(options), { type: "text", text }, context)

const pdf = "https://e.com/a.pdf"
const png = "https://e.com/b.PNG"

test.each([
  [undefined, "retry"],
  [{}, "retry"],
  [{ isRequired: true }, "retry"],
  [{ isRequired: false }, "skip"],
])("18.12 without a message and with %j: %s", (options, verdict) => {
  expect(fileInputBlock.reply(blockWith(options), undefined, context)).toBe(verdict)
})

test.each([
  [pdf, undefined, pdf],
  [`${pdf}, ${png}`, undefined, pdf],
  [`${pdf}, ${png}`, { isMultipleAllowed: true }, `${pdf}, ${png}`],
  [`nothing, ${png}`, undefined, png],
  [`${pdf}, tail.txt`, { isMultipleAllowed: true }, `${pdf}, tail.txt`],
  [`${pdf},${png}`, undefined, `${pdf},${png}`],
  ["http://localhost:3000/a.pdf", undefined, "http://localhost:3000/a.pdf"],
  ["http://parley:3000/a.pdf", undefined, "http://parley:3000/a.pdf"],
  ["http://1.2.3.4/a.pdf", undefined, "http://1.2.3.4/a.pdf"],
  [`https://e.com/${"a".repeat(4000)}`, undefined, `https://e.com/${"a".repeat(4000)}`],
])("18.12 takes %j with %j as %j", (text, options, stored) => {
  expect(reply(text, options)).toEqual({ accept: stored })
})

test.each([
  "",
  "a.pdf",
  "e.com/a.pdf",
  "ftp://e.com/a.pdf",
  "javascript:alert(1)",
  "http://intranet/a.pdf",
  "https://",
  "no, no",
])("18.12 asks again after %j, required or not", (text) => {
  expect(reply(text)).toBe("retry")
  expect(reply(text, { isRequired: false })).toBe("retry")
})

test.each([
  [pdf, ["application/pdf"], true],
  [pdf, [".pdf"], true],
  [pdf, ["image/*"], false],
  [png, ["image/*"], true],
  [`${pdf}, ${png}`, ["pdf"], false],
  [`${pdf}, ${png}`, ["pdf", "png"], true],
  ["https://e.com/a.jpeg", ["jpg"], true],
  ["https://e.com/a.csv", ["text/csv"], true],
  ["https://e.com/a.txt", [".txt"], true],
  [`${pdf}?token=1`, ["pdf"], false],
  ["https://e.com/a.xyz", ["xyz"], false],
  ["http://localhost/pdf", ["pdf"], false],
  [pdf, [], true],
])("18.12 judges %s against the types %j", (text, types, isTaken) => {
  const allowedFileTypes = { isEnabled: true, types }
  expect(reply(text, { allowedFileTypes, isMultipleAllowed: true }) !== "retry").toBe(isTaken)
  expect(reply(text, { allowedFileTypes: { types }, isMultipleAllowed: true })).toEqual({
    accept: text,
  })
})

test("18.12 takes a clip by its address and does not set the linked variable", () => {
  const clip = { type: "audio" as const, url: "https://e.com/a.webm" }
  expect(fileInputBlock.reply(blockWith({ variableId: "vFile" }), clip, context)).toEqual({
    accept: "https://e.com/a.webm",
    isSavedElsewhere: true,
  })
})

test("18.12 judges a hostile list at once", () => {
  const started = performance.now()
  expect(reply("http://a, ".repeat(10_000))).toBe("retry")
  expect(performance.now() - started).toBeLessThan(5_000)
})

test("18.12 asks with its labels filled in", () => {
  const block = blockWith({
    variableId: "vFile",
    labels: { placeholder: "<b>{{Name}}</b>", success: { multiple: "{total} of {{Name}}" } },
    allowedFileTypes: { isEnabled: true, types: ["{{Name}}"] },
    sizeLimit: 5,
  })
  const asked = fileInputBlock.ask(block, testScene({ variables: { Name: "Ann", File: pdf } }))
  expect(asked).toEqual({
    options: {
      variableId: "vFile",
      labels: { placeholder: "<b>Ann</b>", success: { multiple: "{total} of Ann" } },
      allowedFileTypes: { isEnabled: true, types: ["{{Name}}"] },
      sizeLimit: 5,
    },
    prefilledValue: pdf,
  })
})

test("18.12 escapes values in the HTML of its placeholder", () => {
  const labels = { placeholder: "<b>{{Name}}</b>", button: "For {{Name}}" }
  const scene = testScene({ variables: { Name: "<img src=x onerror=alert(1)>" } })
  expect(fileInputBlock.ask(blockWith({ labels }), scene)).toMatchObject({
    options: {
      labels: {
        placeholder: "<b>&lt;img src=x onerror=alert(1)&gt;</b>",
        button: "For <img src=x onerror=alert(1)>",
      },
    },
  })
})

test.each([
  [undefined, "exe", { isPrivate: false }],
  [{ visibility: "Private" as const, sizeLimit: 3 }, "png", { isPrivate: true, maxMegabytes: 3 }],
  [{ allowedFileTypes: { isEnabled: true, types: ["image/*"] } }, "png", { isPrivate: false }],
  [{ allowedFileTypes: { isEnabled: true, types: ["image/*"] } }, "pdf", undefined],
  [{ allowedFileTypes: { isEnabled: false, types: ["image/*"] } }, "pdf", { isPrivate: false }],
])("18.12 with the options %j takes an upload of .%s: %j", (options, extension, rules) => {
  const block = { id: "f", type: "file input" as const, ...(options && { options }) }
  expect(fileInputBlock.uploads?.(block, extension)).toEqual(rules)
})

test("13.1 reads the allowed types once per reply", () => {
  const types = [...Array.from({ length: 4_999 }, (_, index) => `x${index}/*`), "pdf"]
  const text = Array(7_000).fill(pdf).join(", ")
  const scene = { ...context, fuel: createFuel(liveLimits.fuel) }
  const block = blockWith({ allowedFileTypes: { isEnabled: true, types } })
  expect(fileInputBlock.reply(block, { type: "text", text }, scene)).toEqual({ accept: pdf })
})

test.each([
  ["parts", Array(33_000).fill("a").join(", "), ["pdf"]],
  ["allowed types", pdf, Array(200_000).fill("pdf")],
])("13.1 a reply is charged for its %s", (_, text, types) => {
  const scene = { ...context, fuel: createFuel(liveLimits.fuel) }
  // Older versions may list more types than the schema accepts now.
  const block = { ...blockWith(), options: { allowedFileTypes: { isEnabled: true, types } } }
  expect(() => fileInputBlock.reply(block, { type: "text", text }, scene)).toThrow(OutOfFuel)
})
