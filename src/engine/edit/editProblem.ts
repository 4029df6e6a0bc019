/** The failure of an edit. */

/** Thrown by edits that name a missing element or add an existing one. */
export class EditProblem extends Error {
  override readonly name = "EditProblem"
  /** Index of the edit. */
  readonly index: number
  /** The element, such as `block:ID`. */
  readonly element: string

  constructor(index: number, element: string, message: string) {
    super(message)
    this.index = index
    this.element = element
  }
}

/** Builds the problem of the current edit. */
export type Refuse = (element: string, message: string) => EditProblem
