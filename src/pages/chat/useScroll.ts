/** Keeps the newest part of a conversation in view. */
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** Within this many pixels of the end, the person is assumed to read the newest part. */
const nearPx = 60

/**
 * Scrolls to the end whenever the conversation grows, unless the person has scrolled up. What is asked,
 * by its key, is shown from its beginning where it is too long, with the words before it.
 */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  answers: number,
  asked: string | undefined,
): void {
  const isFollowing = useRef(true)
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    return follow(box, isFollowing)
  }, [])
  useLayoutEffect(() => {
    const box = scroller.current
    const input = box?.querySelector<HTMLElement>(".asked > *")
    // What is hidden, such as a closed bubble, has no height to compare.
    if (!box?.clientHeight || !input || !isFollowing.current) return
    const room = box.clientHeight / 4
    if (input.offsetHeight < box.clientHeight - room) return
    isFollowing.current = false
    scrollTo(box, input.offsetTop - room)
  }, [asked])
  useEffect(() => {
    const box = scroller.current
    if (!box || answers === 0) return
    isFollowing.current = true
    scrollTo(box, box.scrollHeight)
  }, [answers])
}

function follow(box: HTMLElement, isFollowing: { current: boolean }): () => void {
  let lastTop = 0
  const measure = () => {
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    // Only the person ever scrolls up.
    if (box.scrollTop < lastTop) isFollowing.current = left < nearPx
    else if (left < nearPx) isFollowing.current = true
    lastTop = box.scrollTop
  }
  box.addEventListener("scroll", measure, { passive: true })
  const sizes = new ResizeObserver(() => {
    if (isFollowing.current) scrollTo(box, box.scrollHeight)
  })
  sizes.observe(box)
  if (box.firstElementChild) sizes.observe(box.firstElementChild)
  return () => {
    box.removeEventListener("scroll", measure)
    sizes.disconnect()
  }
}

function scrollTo(box: HTMLElement, top: number): void {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
  box.scrollTo({ top, behavior: isStill ? "auto" : "smooth" })
}
