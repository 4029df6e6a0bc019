/** The messages between the page and the frame for code. */

/** The body of a function, and its arguments by name. */
export type Code = { content: string; args: Readonly<Record<string, unknown>> }

/** Facts about the page for code. */
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

/** Sent once, when the frame is ready for requests. */
export const readyMessage = "parley-code-ready"
