/** Dates are understood, refused, and stored. */
import { expect, test } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { type DateInputBlock, dateInputBlock } from "./block.ts"

const blockWith = (options?: DateInputBlock["options"]): DateInputBlock => ({
  id: "i",
  type: "date input",
  ...(options && { options }),
})

const variables = { Day: "2024-01-10", Moment: "2024-01-10T09:30:15.000Z", Until: "bis" }
const reply = (text: string, options?: DateInputBlock["options"]) =>
  dateInputBlock.reply(blockWith(options), { type: "text", text }, testScene({ variables }))

test.each([
  ["2024-01-10", undefined, "10/01/2024"],
  ["03/04/2024", undefined, "03/04/2024"],
  ["03/04/2024", { format: "yyyy-MM-dd" }, "2024-03-04"],
  ["03/04/2024", { format: "d/M/yyyy" }, "4/3/2024"],
  ["03/04/2024", { format: "MM/dd/yyyy" }, "03/04/2024"],
  ["2024-01-10T09:30", { hasTime: true }, "10/01/2024 09:30"],
  ["2024-01-10", { hasTime: true }, "10/01/2024 12:00"],
  ["tomorrow", undefined, "03/01/2026"],
  ["tomorrow", { hasTime: true }, "03/01/2026 12:00"],
  ["2024-01-10 to 2024-01-12", undefined, "10/01/2024"],
  ["2024-12-29", { format: "DD/MM/YYYY" }, "364/12/2025"],
  ["2024-01-10", { format: "" }, "10/01/2024"],
])("18.6 stores %j with %j as %s", (text, options, stored) => {
  expect(reply(text, options)).toEqual({ accept: stored })
})

test.each([
  ["2024-01-10 to 2024-01-12", { format: "yyyy/MM/dd" }, "2024/01/10 to 2024/01/12"],
  ["from 10/01/2024 to 12/01/2024", {}, "10/01/2024 to 12/01/2024"],
  ["2024-01-10 to 2024-01-12", { labels: { separator: "{{Until}}" } }, "10/01/2024 bis 12/01/2024"],
  ["2024-01-10 to 2024-01-12", { labels: { separator: "" } }, "10/01/2024 to 12/01/2024"],
  [
    "2024-01-10T09:30 to 2024-01-10T11:00",
    { hasTime: true },
    "10/01/2024 09:30 to 10/01/2024 11:00",
  ],
])("18.6 stores the range %j with %j as %s", (text, options, stored) => {
  expect(reply(text, { isRange: true, ...options })).toEqual({ accept: stored })
})

test.each([
  ["", undefined],
  ["soon", undefined],
  ["2024-02-30", undefined],
  ["2024-01-10", { isRange: true }],
])("18.6 asks again after %j with %j", (text, options) => {
  expect(reply(text, options)).toBe("retry")
})

test.each([
  ["2024-01-09", { min: "2024-01-10" }, false],
  ["2024-01-10", { min: "2024-01-10", max: "2024-01-20" }, true],
  ["2024-01-19", { max: "2024-01-20" }, true],
  ["2024-01-20", { min: "2024-01-10", max: "2024-01-20" }, true],
  ["2024-01-21", { min: "2024-01-10", max: "2024-01-20" }, false],
  ["2024-01-09", { min: "{{Day}}" }, false],
  ["2024-01-10", { min: "{{Moment}}" }, true],
  ["2024-01-11", { max: "{{Moment}}" }, false],
  ["2024-01-10", { max: "{{Moment}}" }, true],
  ["2024-01-10T09:29", { hasTime: true, min: "{{Moment}}" }, false],
  ["2024-01-10T09:30", { hasTime: true, min: "{{Moment}}" }, true],
  ["2024-01-10T09:30", { hasTime: true, max: "{{Moment}}" }, true],
  ["2024-01-10T09:31", { hasTime: true, max: "{{Moment}}" }, false],
  ["2024-01-20T00:00", { hasTime: true, max: "2024-01-20" }, true],
  ["2024-01-20T23:59", { hasTime: true, max: "2024-01-20" }, true],
  ["2024-01-21T00:00", { hasTime: true, max: "2024-01-20" }, false],
  ["2024-01-10", { min: "soon", max: "{{Nothing}}" }, true],
  ["2024-01-10", { min: "2024-99-99" }, true],
  ["2024-01-09 to 2024-01-12", { isRange: true, min: "2024-01-10" }, false],
  ["2024-01-10 to 2024-01-12", { isRange: true, max: "2024-01-12" }, true],
  ["2024-01-10 to 2024-01-13", { isRange: true, max: "2024-01-12" }, false],
  ["2024-01-10 to 2024-01-12", { max: "2024-01-12" }, true],
])("18.6 judges %s against %j", (text, options, isTaken) => {
  expect(reply(text, options) !== "retry").toBe(isTaken)
})

test("18.6 asks again without a text", () => {
  expect(dateInputBlock.reply(blockWith(), undefined, testScene())).toBe("retry")
})

test.each([
  [{ min: "{{Moment}}" }, { min: "2024-01-10" }],
  [
    { hasTime: true, min: "{{Moment}}" },
    { hasTime: true, min: "2024-01-10T09:30" },
  ],
  [{ max: "2024-01-20T10:00:00+02:00" }, { max: "2024-01-20" }],
  [{ min: "{{Nothing}}", max: "soon" }, { max: "soon" }],
  [{ labels: { from: "{{Until}}" } }, { labels: { from: "bis" } }],
])("18.6 asks with %j filled in as %j", (options, filled) => {
  const asked = dateInputBlock.ask(blockWith(options), testScene({ variables }))
  expect(asked).toEqual({ options: filled })
})

test("18.6 starts from the present value only when it has options", () => {
  const context = testScene({ variables })
  expect(dateInputBlock.ask(blockWith(), context)).toEqual({})
  expect(dateInputBlock.ask(blockWith({ variableId: "vDay" }), context)).toEqual({
    options: { variableId: "vDay" },
    prefilledValue: "2024-01-10",
  })
})
