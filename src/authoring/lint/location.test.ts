/** Places in a flow, for programs and for people. */
import { describe, expect, test } from "vitest"
import { placeInFlow, pointerOf } from "./location.ts"

test("a pointer escapes its own syntax", () => {
  expect(pointerOf([])).toBe("")
  expect(pointerOf(["a/b", 0, "m~n", ""])).toBe("/a~1b/0/m~0n/")
})

describe("a place", () => {
  const flow = {
    groups: [
      { title: "Contact", blocks: [{ type: "email input" }, { items: [{}, {}] }] },
      { blocks: [{ type: 5 }] },
    ],
    events: [{ type: "start" }],
    variables: [{ name: "Name" }, null],
  }

  test.each([
    ['Group "Contact"', ["groups", 0, "title"]],
    ["Group 2", ["groups", 1]],
    ["Group 9", ["groups", 8]],
    ['Group "Contact" › block 1 "email input"', ["groups", 0, "blocks", 0, "options", "labels"]],
    ["Group 2 › block 1", ["groups", 1, "blocks", 0]],
    ['Group "Contact" › block 2 › item 2', ["groups", 0, "blocks", 1, "items", 1, "content"]],
    ['Event 1 "start"', ["events", 0]],
    ['Variable 1 "Name"', ["variables", 0, "name"]],
    ["Variable 2", ["variables", 1]],
    ["Edge 4", ["edges", 3, "to"]],
  ])("reads %s", (place, path) => {
    expect(placeInFlow(path, flow)).toBe(place)
    expect(placeInFlow(["bot", ...path], { bot: flow })).toBe(place)
  })

  test("is undefined outside of the parts of a flow", () => {
    for (const path of [[], ["theme"], ["groups"], ["variables", "name"], ["constructor", 0]]) {
      expect(placeInFlow(path, flow)).toBeUndefined()
    }
  })

  test("never shows more than the beginning of a title", () => {
    const groups = [{ title: "x".repeat(5000) }]
    expect(placeInFlow(["groups", 0], { groups })).toBe(`Group "${"x".repeat(100)}"`)
  })
})
