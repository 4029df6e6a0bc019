/** Placeholder for content that could not be loaded. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"

export function Missing({ name }: { name: string }): VNode {
  return <span class="missing">{useChat().texts.notLoaded.replace("{name}", () => name)}</span>
}
