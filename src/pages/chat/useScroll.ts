/** Keeps the newest part of a conversation in view. */
import type { RefObject } from "preact"
import { useEffect } from "preact/hooks"

/** Within this many pixels of the end, the person is assumed to read the newest part. */
const nearPx = 60

/** Scrolls to the end whenever the conversation grows, unless the person has scrolled up. */
export function useScroll(scroller: RefObject<HTMLElement | null>, answers: number): void {
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    return follow(box)
  }, [])
  useEffect(() => {
    const box = scroller.current
    if (box && answers > 0) scrollToEnd(box)
  }, [answers])
}

function follow(box: HTMLElement): () => void {
  let isFollowing = true
  let lastTop = 0
  const measure = () => {
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    // Only the person ever scrolls up.
    if (box.scrollTop < lastTop) isFollowing = left < nearPx
    else if (left < nearPx) isFollowing = true
    lastTop = box.scrollTop
  }
  box.addEventListener("scroll", measure, { passive: true })
  const sizes = new ResizeObserver(() => {
    if (isFollowing) scrollToEnd(box)
  })
  sizes.observe(box)
  if (box.firstElementChild) sizes.observe(box.firstElementChild)
  return () => {
    box.removeEventListener("scroll", measure)
    sizes.disconnect()
  }
}

function scrollToEnd(box: HTMLElement): void {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
  box.scrollTo({ top: box.scrollHeight, behavior: isStill ? "auto" : "smooth" })
}
