/** Placeholder for content that could not be loaded. */
import type { VNode } from "preact"

export function Missing({ name }: { name: string }): VNode {
  return <span class="missing">{name}</span>
}
