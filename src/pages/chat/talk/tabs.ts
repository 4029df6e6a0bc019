/** Keeps tabs that show the same conversation in sync. */
import type { Open } from "./memory.ts"

export type Tabs = ReturnType<typeof openTabs>

/** Calls `hear` with what other tabs of this browser send. */
export function openTabs(hear: (open: Open) => void) {
  try {
    const channel = new BroadcastChannel("parley-chat-1")
    channel.onmessage = ({ data }) => hear(data as Open)
    return {
      /** Sends the state of the conversation to the other tabs. */
      tell: (open: Open) => channel.postMessage(open),
      close: () => channel.close(),
    }
  } catch {
    // Firefox refuses channels wherever it refuses storage.
    return { tell: () => {}, close: () => {} }
  }
}
