/** Keeps tabs that show the same conversation alike. */
import type { Kept } from "./memory.ts"

type Open = NonNullable<Kept["open"]>

export type Tabs = {
  /** Tells the other tabs how far the conversation has come. */
  tell(open: Open): void
  close(): void
}

/** `hear` is called with what another tab of this browser tells. */
export function openTabs(hear: (open: Open) => void): Tabs {
  if (!("BroadcastChannel" in window)) return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel("parley-chat-1")
  channel.onmessage = ({ data }) => hear(data as Open)
  return { tell: (open) => channel.postMessage(open), close: () => channel.close() }
}
