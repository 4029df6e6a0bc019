/** The start block of old flows. */
import { expect, test } from "vitest"
import { testScene } from "../../../../test/support/context.ts"
import { startBlock } from "./block.ts"

test("16.3 a start block that is walked through does nothing", () => {
  const block = startBlock.schema.parse({ id: "s", type: "start", label: "Start" })
  expect(startBlock.run(block, testScene())).toEqual({ next: "pass" })
})
