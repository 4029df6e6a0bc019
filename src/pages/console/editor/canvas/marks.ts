/** What a drawing of a flow shows about its elements. */

/** How an element looks: what has happened to it, or that people passed or left there. */
type Look = "added" | "changed" | "removed" | "people" | "left"

export type Mark = {
  look: Look
  /** A letter or two, or a number. */
  sign: string
  /** What the sign means. */
  words: string
  /** Of an edge, in pixels; absent: the usual width. */
  width?: number
}

export type Marks = {
  /** By the id of an event, a group, a block or an item. */
  elements: ReadonlyMap<string, Mark>
  edges: ReadonlyMap<string, Mark>
}
