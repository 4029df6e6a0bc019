/** Keeps the newest part of a conversation in view. */
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** Within this many pixels of the end, the person is assumed to read the newest part. */
const nearPx = 60

/**
 * Scrolls to the end whenever the conversation grows, unless the person has scrolled up. A question that is
 * too long, by its key, is shown from its beginning with the message before it, and so is a message.
 */
export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  answers: number,
  asked: string | undefined,
  lastKey: number | undefined,
): void {
  const position = useRef<Position>({ isFollowing: true, lastTop: 0 }).current
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    return follow(box, position)
  }, [])
  useLayoutEffect(() => {
    if (scroller.current) settle(scroller.current, position)
  })
  useLayoutEffect(() => {
    const box = scroller.current
    const said = box?.querySelectorAll<HTMLElement>(".block:last-of-type > .host:last-child")
    const last = said?.[said.length - 1]
    if (!box?.clientHeight || !last || !position.isFollowing) return
    if (last.offsetHeight <= box.clientHeight) return
    position.isFollowing = false
    const above = last.getBoundingClientRect().top - box.getBoundingClientRect().top
    scrollTo(box, box.scrollTop + above - nearPx / 4)
  }, [lastKey])
  useLayoutEffect(() => {
    const box = scroller.current
    const input = box?.querySelector<HTMLElement>(".asked > *")
    // Hidden elements, such as a closed bubble, have no height to compare.
    if (!box?.clientHeight || !input || !position.isFollowing) return
    const room = box.clientHeight / 4
    const isFitting = box.scrollHeight <= box.clientHeight
    if (isFitting || input.offsetHeight < box.clientHeight - room) return
    position.isFollowing = false
    scrollTo(box, input.offsetTop - room)
  }, [asked])
  useEffect(() => {
    const box = scroller.current
    if (!box || answers === 0) return
    position.isFollowing = true
    scrollTo(box, box.scrollHeight)
  }, [answers])
}

type Position = {
  isFollowing: boolean
  /** The last read `scrollTop`. */
  lastTop: number
}

/** Follows the end of a conversation in a box until the returned function is called. */
export function follow(box: HTMLElement, position: Position): () => void {
  const measure = () => {
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    // Only the person ever scrolls up.
    if (box.scrollTop < position.lastTop) position.isFollowing = left < nearPx
    else if (left < nearPx) position.isFollowing = true
    position.lastTop = box.scrollTop
  }
  box.addEventListener("scroll", measure, { passive: true })
  const sizes = new ResizeObserver(() => {
    settle(box, position)
    if (position.isFollowing) scrollTo(box, box.scrollHeight)
  })
  sizes.observe(box)
  if (box.firstElementChild) sizes.observe(box.firstElementChild)
  return () => {
    box.removeEventListener("scroll", measure)
    sizes.disconnect()
  }
}

/**
 * Notes where a conversation stands that has become shorter, as by an answered question, and so has moved
 * by itself. Its event comes later, when the next message may already be there.
 */
export function settle(box: HTMLElement, position: Position): void {
  position.lastTop = Math.min(position.lastTop, box.scrollTop)
}

function scrollTo(box: HTMLElement, top: number): void {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
  box.scrollTo({ top, behavior: isStill ? "auto" : "smooth" })
}
