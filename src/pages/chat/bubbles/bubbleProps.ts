/** The props of every bubble. */
import type { BubbleType, ContentOf } from "../payload.ts"

/** `isLast` is false as soon as something follows the message. */
export type BubbleProps<T extends BubbleType> = { content: ContentOf<T>; isLast: boolean }
