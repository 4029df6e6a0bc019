/** The default content of requests and mails. */
import { expect, it } from "vitest"
import { testScene } from "../../../../test/support/context.ts"
import { answersObject } from "./answersObject.ts"

it("11.3 lists the time, answers and variables, and lets variables win", () => {
  const context = testScene({
    answers: [
      ["Group", "yes"],
      ["Name", "typed"],
    ],
    variables: { Name: "Ann", Tags: ["a", null, "b"], Unset: undefined },
  })
  expect(answersObject(context)).toEqual({
    submittedAt: "2026-01-02T03:04:05.678Z",
    Group: "yes",
    Name: "Ann",
    Tags: "a,,b",
  })
})
