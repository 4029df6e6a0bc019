/** The chat with the draft, beside the canvas. */

export function TryOut() {
  return null
}
