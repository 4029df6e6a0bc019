/** Wait blocks. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { waitBlock } from "./block.ts"

type WaitBlock = BlockOf<typeof waitBlock>

const run = (options: WaitBlock["options"]) =>
  waitBlock.run(
    { id: "w", type: "Wait", options },
    testScene({ variables: { S: "1.5", W: "soon" } }),
  )
const wait = (secondsToWaitFor: number) => ({ type: "wait", wait: { secondsToWaitFor } })

test("19.6 a wait sends the client the seconds and continues", () => {
  expect(run({ secondsToWaitFor: "2" })).toEqual({ act: [wait(2)] })
  expect(run({ secondsToWaitFor: "{{S}}" })).toEqual({ act: [wait(1.5)] })
  expect(run({ secondsToWaitFor: 3 })).toEqual({ act: [wait(3)] })
})

test.each([
  ["1,5", 1.5],
  ["3,0", 3],
  ["2 s", 2],
  [" 2.5 seconds", 2.5],
  ["0,5s", 0.5],
])("19.6 a wait understands a time as people write it: %j", (secondsToWaitFor, seconds) => {
  expect(run({ secondsToWaitFor })).toEqual({ act: [wait(seconds)] })
})

test("19.6 a wait that pauses the flow waits for the client, even for no time", () => {
  expect(run({ secondsToWaitFor: "2", shouldPause: true })).toEqual({
    act: [wait(2)],
    next: "waitForClient",
  })
  expect(run({ secondsToWaitFor: "0", shouldPause: true })).toEqual({
    act: [wait(0)],
    next: "waitForClient",
  })
})

test("19.6 a wait without a time does nothing", () => {
  expect(run({ secondsToWaitFor: "0" })).toEqual({})
  expect(run({ secondsToWaitFor: "{{W}}", shouldPause: true })).toEqual({})
  expect(run({ shouldPause: true })).toEqual({})
  expect(run(undefined)).toEqual({})
})

test.each([
  [{ secondsToWaitFor: 0, shouldPause: true }, true],
  [{ secondsToWaitFor: "{{S}}", shouldPause: true }, true],
  [{ secondsToWaitFor: "soon", shouldPause: true }, false],
  [{ shouldPause: true }, false],
  [{ secondsToWaitFor: 2 }, false],
])("19.6 a wait is known to wait for the client before it runs: %j", (options, waits) => {
  expect(waitBlock.waits?.({ id: "w", type: "Wait", options })).toBe(waits)
})
