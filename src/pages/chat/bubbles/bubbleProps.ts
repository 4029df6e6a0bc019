/** What every bubble is given. */
import type { BubbleType, ContentOf } from "../payload.ts"

/** `isLast` is false once something came after the message. */
export type BubbleProps<T extends BubbleType> = { content: ContentOf<T>; isLast: boolean }
