/** The author's own words for a reply that is not valid. */
import { interpolateText } from "../../richText/interpolateText.ts"
import type { Scene } from "../block.ts"

/** Those words; undefined when there are none, or nothing is left once variables are replaced. */
export function ownRetryText(
  options: { retryMessageContent?: string | undefined } | undefined,
  scene: Scene,
): string | undefined {
  return interpolateText(options?.retryMessageContent, scene) || undefined
}
