/** What tests run within a page. */

/** A global of the page. */
export function read(name: string): unknown
/** Whether a video or an audio player makes no sound. */
export function isMuted(player: unknown): boolean
/** Resolves at the end of the chat of the page. */
export function untilEnd(): Promise<void>
/** Notes what runs and what the policy reports in `happened`; to be run before anything else. */
export function watch(): void
/** Notes in `shifts` how far anything is moved later; to be run before anything else. */
export function noteShifts(): void
/** Sends pointer, focus and what else elements may have handlers for to all that is there. */
export function pointAtEverything(chat: unknown): void
/** Addresses that a chat loads or leads to. */
export function addressesIn(chat: unknown): string[]
/** Parts of a chat that stick out of the window, or of what is around them. */
export function cutOff(chat: unknown): string[]
/** What moves in the tree of a chat. */
export function movesIn(chat: unknown): string[]
/**
 * The violations that axe finds, which the page has loaded: rules, and the elements that break them.
 * Lines of the chat that were looked at before are left out, unless the whole page is asked for.
 */
export function findingsOf(isWhole: boolean): Promise<string[]>
/** The violations of WCAG 2.2 AA that axe finds in a bubble. */
export function bubbleFindings(): Promise<string[]>
/** Styles that pages like to set, as they come out. */
export function stylesOf(element: unknown): Record<string, string>
/** Lets the stream of a model's answer say this and no more. */
export function fallSilent(line: string): void
/** The colours of an element. */
export function colorsOf(element: unknown): string[]
/** The computed value of one style of an element. */
export function styleOf(element: unknown, name: string): string
/** What elements say, in all trees below them: texts, and the labels and hints of their parts. */
export function wordsIn(elements: unknown): string[]
/** Hints that are longer than their fields, and texts that are wider than the elements of chats that hold them. */
export function unfitting(chats: unknown): string[]
/** The attribute `lang` of elements. */
export function languagesOf(elements: unknown): string[]
/** Refuses what stores or passes on anything, as Firefox does where cookies are blocked. */
export function forbidStorage(): void
/** Names the locale of the system as the language of the browser, which is no tag. */
export function nameSystem(): void
/** Whether the whole of an element is within the part of a conversation that is shown. */
export function isInView(element: unknown): boolean
/** Whether the chat of a page shows at least so many lines. */
export function hasLines(count: number): boolean
export function brokenButtons(elements: Element[]): string[]
