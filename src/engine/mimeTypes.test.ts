/** Extensions allowed by lists of file types. */
import { expect, test } from "vitest"
import { allowedExtensions, extensionOf } from "./mimeTypes.ts"

test.each([
  [["application/pdf"], ["pdf"]],
  [
    ["Application/PDF", " image/png "],
    ["pdf", "png"],
  ],
  [
    [".pdf", "docx"],
    ["pdf", "docx"],
  ],
  [[".JPG"], ["jpg", "jpeg", "jpe"]],
  [["image/jpeg"], ["jpeg", "jpg", "jpe"]],
  [["image/tiff"], ["tif", "tiff"]],
  [["jpe"], ["jpe", "jpg", "jpeg"]],
  [["video/*"], ["mp4", "mpeg", "ogv", "mov", "webm"]],
  [
    ["text/csv", ".txt"],
    ["csv", "txt"],
  ],
  [["audio/mp4"], ["m4a"]],
  [["xyz", "application/x-nothing", "*/*", "", ".", "constructor", "nothing/*"], []],
])("18.15 %j allows %j", (types, expected) => {
  expect([...allowedExtensions(types)].sort()).toEqual([...expected].sort())
})

test.each([
  ["image/svg+xml", "svg"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["TEXT/PLAIN", "txt"],
  ["application/x-nothing", "bin"],
  ["toString", "bin"],
])("18.15 names files of type %s .%s", (mimeType, extension) => {
  expect(extensionOf(mimeType)).toBe(extension)
})
