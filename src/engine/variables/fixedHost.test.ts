/** Addresses whose host only an author chooses, and those whose host a visitor could. */
import { expect, it } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import { hasFixedHost } from "./fixedHost.ts"
import { createVariables } from "./variables.ts"

const workspace = new Map([
  ["base", { shown: "https://a.example", sent: "https://a.example" }],
  ["scheme", { shown: "https:", sent: "https:" }],
  ["hook", { shown: "•••", sent: "mark" }],
])
const definitions = [{ id: "vOwn", name: "$own" }]
const variables = createVariables(
  definitions,
  [["vOwn", "https://a.example"]],
  unmetered(),
  workspace,
)

it.each([
  "https://a.example",
  " HTTP://a.example:8080/{{Path}}",
  "https://a.example?{{Query}}",
  "https://a.example#{{Part}}",
  "{{$base}}",
  "{{$base}}/{{Path}}",
  "https://{{$base}}/{{Path}}",
  "{{$hook}}?x={{Said}}",
])("22.6 an author alone chooses the host of %s", (address) => {
  expect(hasFixedHost(address, variables)).toBe(true)
  expect(hasFixedHost(address)).toBe(true)
})

it.each([
  "{{Base}}/x",
  "{{=base=}}/x",
  "https://{{Host}}/x",
  "https://a.example{{Rest}}/x",
  "https://{{User}}@a.example/x",
  "https:{{Rest}}",
  "https:/{{Rest}}",
  "https:///{{Rest}}",
  "https:\\\\{{Rest}}",
  "/{{Rest}}",
  "{{$base}}{{Rest}}",
  "{{$hook}}{{Rest}}",
])("22.6 a visitor may choose the host of %s", (address) => {
  expect(hasFixedHost(address, variables)).toBe(false)
  expect(hasFixedHost(address)).toBe(false)
})

it("22.6 a variable of the bot is not one of the workspace, half a scheme no host, nor an unknown name", () => {
  expect(hasFixedHost("{{$own}}/x", variables)).toBe(false)
  expect(hasFixedHost("{{$scheme}}/{{Rest}}", variables)).toBe(false)
  expect(hasFixedHost("https://{{$none}}/{{Rest}}", variables)).toBe(false)
})
