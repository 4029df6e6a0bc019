/** Tests that a conversation is followed, unless the person reads further up. */
import { expect, it, vi } from "vitest"
import { follow, settle } from "./useScroll.ts"

/** A conversation in a box of 100 pixels, as browsers lay it out. */
function openBox() {
  const heights: { grow: () => void } = { grow: () => {} }
  vi.stubGlobal("matchMedia", () => ({ matches: true }))
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = () => {}
      disconnect = () => {}
      constructor(callback: () => void) {
        heights.grow = callback
      }
    },
  )
  const box = Object.assign(new EventTarget(), {
    clientHeight: 100,
    scrollHeight: 100,
    scrollTop: 0,
    scrollTo({ top }: { top: number }) {
      box.scrollTop = Math.min(top, most())
    },
  })
  const most = () => box.scrollHeight - box.clientHeight
  const position = { isFollowing: true, lastTop: 0 }
  follow(box as unknown as HTMLElement, position)
  const resize = (height: number) => {
    box.scrollHeight = height
    box.scrollTop = Math.min(box.scrollTop, most())
  }
  return {
    box,
    /** The conversation becomes longer or shorter, and is rendered. */
    render(height: number) {
      resize(height)
      settle(box as unknown as HTMLElement, position)
    },
    /** A picture of the browser: first come events, then sizes. */
    frame() {
      box.dispatchEvent(new Event("scroll"))
      heights.grow()
    },
    isAtEnd: () => box.scrollTop === most(),
  }
}

it("a conversation that becomes shorter, then longer, before the scroll event is followed", () => {
  const { render, frame, isAtEnd } = openBox()
  render(500)
  frame()
  frame()
  // The question goes, and the next message comes.
  render(300)
  render(600)
  frame()
  expect(isAtEnd()).toBe(true)
})

it("a conversation is not followed while the person reads further up, and then it is again", () => {
  const { box, render, frame, isAtEnd } = openBox()
  render(500)
  frame()
  frame()
  box.scrollTop = 200
  frame()
  render(600)
  frame()
  expect(box.scrollTop).toBe(200)
  box.scrollTop = 480
  frame()
  expect(isAtEnd()).toBe(true)
})
