/** What a draft of several authors shows while changes of the whole draft come one upon the other. */
import { expect, test } from "vitest"
import type { ParleyClient } from "../../src/client.ts"
import { openSharedDraft } from "../client/sharedDraft.ts"

test("a draft that was replaced again while it was read is read again", async () => {
  const reads: ((revision: number) => void)[] = []
  const query = () =>
    new Promise((resolve) => {
      reads.push((revision) => resolve({ bot: { revision, name: `Name ${revision}` } }))
    })
  let hear = (_: { data: { type: "replaced"; revision: number } }) => {}
  const subscribe = (_: unknown, { onData }: { onData: typeof hear }) => {
    hear = onData
    return { unsubscribe: () => {} }
  }
  const bot = { get: { query }, changes: { subscribe } }
  const opening = openSharedDraft({ bot } as unknown as ParleyClient, "bot")
  reads.shift()?.(1)
  const draft = await opening
  hear({ data: { type: "replaced", revision: 2 } })
  hear({ data: { type: "replaced", revision: 3 } })
  reads.shift()?.(2)
  await draft.reached(2)
  expect(reads).toHaveLength(1)
  reads.shift()?.(3)
  await draft.reached(3)
  expect(draft.shown().name).toBe("Name 3")
  draft.close()
})
