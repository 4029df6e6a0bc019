/** Keeps tabs that show the same conversation in sync. */
import type { Open } from "./memory.ts"

export type Tabs = ReturnType<typeof openTabs>

/** What tabs send each other: whether they have just come, or the state of a conversation. */
type Sent = boolean | Open

/** Calls `hear` with what other tabs of this browser send. */
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
      tell: (open: Open) => {
        if (!isAlone) channel.postMessage(open)
      },
      close: () => channel.close(),
    }
  } catch {
    // Firefox refuses channels wherever it refuses storage.
    return { tell: () => {}, close: () => {} }
  }
}
