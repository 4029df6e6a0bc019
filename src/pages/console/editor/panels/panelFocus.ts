/** Leads the focus of those who use keys from the canvas into the panel, and back. */

/** The block or event whose options are to have the focus once they are there. */
let wanted: string | undefined

/** Puts the focus on the head of an element's options, as they are or as soon as they are shown. */
export function enterPanel(id: string): void {
  wanted = id
  const head = document.querySelector<HTMLElement>(`[data-options-of="${CSS.escape(id)}"]`)
  if (head) takeFocus(head)
}

/** The ref of that head. */
export function takeFocus(head: HTMLElement | null): void {
  if (!head || head.dataset.optionsOf !== wanted) return
  wanted = undefined
  head.focus()
}

/** Puts the focus back on an element of the canvas. */
export function leavePanel(id: string): void {
  const name = CSS.escape(id)
  document.querySelector<HTMLElement>(`[data-row="${name}"], [data-event="${name}"]`)?.focus()
}
