/** What nodes of the canvas call and need; it stays the same while texts are edited. */
import { createContext, type PointerEvent, use } from "react"
import type { Block } from "../editing.ts"
import type { Words } from "./blockWords.ts"
import type { Exit } from "./exitsOf.ts"
import type { Finding } from "./findingsByElement.ts"
import type { Marks } from "./marks.ts"

/** An element that a menu is about. */
export type Element = { type: "group" | "event" | "block" | "edge"; id: string }

export type CanvasActions = {
  mayEdit: boolean
  words: Words
  /** Opens a block or an event; `isAdded`: adds it to, or takes it from, what is selected. */
  open(element: Element, isAdded: boolean): void
  rename(groupId: string, title: string): void
  /** Saves what a block has become. */
  put(block: Block, former?: Block): void
  /** Begins to drag a block, and with it the other selected ones. */
  drag(event: PointerEvent, blockId: string): void
  /** Offers the groups that an exit can lead to. */
  goTo(exit: Exit, name: string): void
  /** Offers what can be done with an element. */
  menu(element: Element, at: { x: number; y: number }): void
  titleOfTarget(edgeId: string | undefined): string | undefined
  findings: ReadonlyMap<string, readonly Finding[]>
  /** Absent: the flow is edited. */
  marks?: Marks
}

export const CanvasContext = createContext<CanvasActions | undefined>(undefined)

export function useCanvas(): CanvasActions {
  const actions = use(CanvasContext)
  if (!actions) throw new Error("There is no canvas here")
  return actions
}
