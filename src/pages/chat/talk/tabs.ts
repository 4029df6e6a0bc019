/** Keeps tabs that show the same conversation in sync. */
import type { Open } from "./memory.ts"

export type Tabs = ReturnType<typeof openTabs>

/** Messages between tabs: that one has opened, or the state of a conversation. */
type Sent = boolean | Open

/** Calls `hear` with messages of other tabs of this browser. */
export function openTabs(hear: (open: Open) => void) {
  // Long conversations are long to copy, and most tabs are alone.
  let isAlone = true
  try {
    const channel = new BroadcastChannel("parley-chat-2")
    channel.onmessage = ({ data }: MessageEvent<Sent>) => {
      isAlone = false
      if (data === true) channel.postMessage(false)
      else if (data) hear(data)
    }
    channel.postMessage(true)
    return {
      /** Sends the state of the conversation to the other tabs. */
      send: (open: Open) => {
        if (!isAlone) channel.postMessage(open)
      },
      close: () => channel.close(),
    }
  } catch {
    // Firefox refuses channels wherever it refuses storage.
    return { send: () => {}, close: () => {} }
  }
}
