/** What tests run within a page: no compiler knows its names here. */

/** A global of the page. */
export const read = (name) => window[name]

/** Resolves at the end of the chat of the page. */
export const untilEnd = () =>
  new Promise((resolve) => {
    document.querySelector("parley-chat").listen(({ type }) => {
      if (type === "end") resolve()
    })
  })

/** Notes what runs and what the policy reports; to be run before anything else. */
export function watch() {
  const happened = []
  Object.assign(window, { happened, ran: () => happened.push("ran") })
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    happened.push(`${violatedDirective} ${blockedURI}`),
  )
}

/** Notes how far anything is moved by what comes later; to be run before anything else. */
export function noteShifts() {
  window.shifts = []
  const note = (list) => window.shifts.push(...list.getEntries().map(({ value }) => value))
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true })
}

/** Sends pointer, focus and what else elements may have handlers for to all that is there. */
export function pointAtEverything(chat) {
  const types = ["pointerenter", "mouseover", "error", "load", "animationstart"]
  for (const part of chat.querySelectorAll("*")) {
    part.focus({ preventScroll: true })
    for (const type of types) part.dispatchEvent(new Event(type))
  }
}

/** Addresses that a chat loads or leads to. */
export const addressesIn = (chat) =>
  [...chat.querySelectorAll("[src], [href]")].map((part) => part.src ?? part.href)

/** Parts of a chat that stick out of the window, or of what is around them. */
export function cutOff(chat) {
  const parts = ".bubble, .ask, .choices, .button, .field, .mark, .tile"
  return [...chat.querySelectorAll(parts)]
    .filter((part) => !part.closest(".cards"))
    .filter((part) => {
      const { left, right } = part.getBoundingClientRect()
      const isFuller = part.scrollWidth > part.clientWidth + 1 && !part.matches("input, textarea")
      return left < 0 || right > innerWidth || isFuller
    })
    .map((part) => part.outerHTML.slice(0, 120))
}

/** What moves in the tree of a chat. */
export const movesIn = (chat) => chat.getRootNode().getAnimations().map(String)

/** Styles that pages like to set, as they come out. */
export function stylesOf(element) {
  const style = getComputedStyle(element)
  const names = ["color", "fontSize", "fontFamily", "backgroundColor", "borderTopWidth", "margin"]
  names.push("direction", "letterSpacing", "textTransform", "lineHeight", "visibility", "display")
  return Object.fromEntries(names.map((name) => [name, style[name]]))
}

/** From now on the stream of a model's answer says this and no more; what ends by itself does soon. */
export function fallSilent(line) {
  const { fetch } = window
  const { timeout } = AbortSignal
  AbortSignal.timeout = () => timeout.call(AbortSignal, 500)
  window.fetch = async (address, init) => {
    if (!String(address).endsWith("/streamMessage")) return fetch(address, init)
    const start = (controller) => {
      controller.enqueue(new TextEncoder().encode(line))
      init.signal.addEventListener("abort", () => controller.error(init.signal.reason))
    }
    return new Response(new ReadableStream({ start }))
  }
}
