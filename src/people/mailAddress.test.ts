/** The one form of e-mail addresses. */
import { expect, test } from "vitest"
import { emailSchema, plainEmail } from "./mailAddress.ts"

test("spellings of one address have one plain form", () => {
  const spellings = [
    ["ann@x.example", " Ann@X.Example ", "ANN@x.example.", "ann@ｘ.example"],
    ["ann@xn--4ca.example", "ann@ä.example", "Ann@Ä.example.", "ann@a\u0308.example"],
    ["ann@xn--80a1acny.xn--p1ai", "ann@ПОЧТА.рф"],
  ]
  for (const [plain = "", ...others] of spellings) {
    expect([plain, ...others].map((one) => emailSchema.parse(one))).toEqual(
      [plain, ...others].map(() => plain),
    )
  }
})

test("a letter that only looks like another one does not become it", () => {
  // The sign for kelvin, whose lower case is the letter k.
  expect(plainEmail("\u212Aim@x.example")).toBe("\u212Aim@x.example")
  const refused = [
    "\u212Aim@x.example",
    "ä@x.example",
    "ann",
    "@x.example",
    "a@b@x.example",
    "ann@x",
  ]
  expect(refused.filter((one) => emailSchema.safeParse(one).success)).toEqual([])
})
