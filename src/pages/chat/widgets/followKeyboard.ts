/** Keeps a chat that fixes itself to the window clear of the on-screen keyboard, which covers pages in some browsers. */

/**
 * Sets the visible part of the window as custom properties, while it is covered; returns a function that
 * stops it.
 */
export function followKeyboard({ style }: HTMLElement): () => void {
  const { visualViewport: view } = window
  if (!view) return () => {}
  const adapt = () => {
    // A page that is zoomed shows a part of itself too, but nothing is covered.
    const isCovered = view.scale === 1 && view.height < innerHeight - 1
    style.setProperty("--visible-height", isCovered ? `${view.height}px` : "")
    style.setProperty("--visible-top", isCovered ? `${view.offsetTop}px` : "")
  }
  const moves = ["resize", "scroll"]
  for (const move of moves) view.addEventListener(move, adapt)
  // The keyboard may have gone since the last time.
  adapt()
  return () => {
    for (const move of moves) view.removeEventListener(move, adapt)
  }
}
