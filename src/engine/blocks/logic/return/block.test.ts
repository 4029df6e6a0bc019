/** Return blocks. */
import { expect, test } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { returnBlock } from "./block.ts"

test("19.8 a return goes back", () => {
  const block = returnBlock.schema.parse({ id: "r", type: "Return" })
  expect(returnBlock.run(block, testScene())).toEqual({ next: "back" })
})
