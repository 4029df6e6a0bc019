/** Why an edit cannot be made. */

/** What edits throw that name what is not there, or add what is there already. */
export class EditProblem extends Error {
  override readonly name = "EditProblem"
  /** Which of the edits, counted from 0. */
  readonly index: number
  /** What it is about, such as `block:ID`. */
  readonly element: string

  constructor(index: number, element: string, message: string) {
    super(message)
    this.index = index
    this.element = element
  }
}

/** Makes the problem of the edit that is being made. */
export type Refuse = (element: string, message: string) => EditProblem
