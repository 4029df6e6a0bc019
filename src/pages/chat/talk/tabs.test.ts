/** Tabs of one browser share their state, over a channel of its own. */
import { expect, test, vi } from "vitest"
import type { Open } from "./memory.ts"
import { openTabs } from "./tabs.ts"

test("a tab sends nothing while it is alone, and to all others once one has opened", () => {
  const sent: unknown[] = []
  const channels: { onmessage?: (event: { data: unknown }) => void }[] = []
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      onmessage?: (event: { data: unknown }) => void
      constructor() {
        channels.push(this)
      }
      postMessage(data: unknown) {
        sent.push(data)
        for (const other of channels) if (other !== this) other.onmessage?.({ data })
      }
    },
  )
  const open = { sessionId: "s", entries: [] } as unknown as Open
  const heard: Open[][] = [[], []]
  const first = openTabs((each) => heard[0]?.push(each))
  first.send(open)
  expect(sent).toEqual([true])
  const second = openTabs((each) => heard[1]?.push(each))
  first.send(open)
  second.send(open)
  expect(heard).toEqual([[open], [open]])
})
