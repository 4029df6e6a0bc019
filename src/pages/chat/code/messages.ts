/** What the page and the frame for code say to each other. */

/** The body of a function, and its arguments by name. */
export type Code = { content: string; args: Readonly<Record<string, unknown>> }

/** Facts of the page that code may ask for. */
type PageFacts = {
  url: string
  referrer: string
  title: string
  width: number
  height: number
}

export type CodeRequest = Code & { id: number; facts: PageFacts }

export type CodeAnswer =
  | { id: number; kind: "done"; value?: unknown }
  | { id: number; kind: "failed"; message: string }
  | { id: number; kind: "open"; url: string; isNewTab: boolean }

/** Said once, when the frame can take requests. */
export const readyMessage = "parley-code-ready"
