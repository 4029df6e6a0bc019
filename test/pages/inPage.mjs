/** Functions that tests run inside a page, whose globals no compiler knows here. */

/** Reads a global of the page. */
export const read = (name) => window[name]

/** Whether a video or an audio player makes no sound. */
export const isMuted = (player) => player.muted

/** Resolves when the chat of the page ends. */
export const untilEnd = () =>
  new Promise((resolve) => {
    document.querySelector("parley-chat").listen(({ type }) => {
      if (type === "end") resolve()
    })
  })

/** Records what runs and what the policy reports; must run before anything else. */
export function watch() {
  const happened = []
  Object.assign(window, { happened, ran: () => happened.push("ran") })
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    happened.push(`${violatedDirective} ${blockedURI}`),
  )
}

/** Records how far elements are moved by content that loads later; must run before anything else. */
export function noteShifts() {
  window.shifts = []
  const note = (list) => window.shifts.push(...list.getEntries().map(({ value }) => value))
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true })
}

/** Sends all events that elements may have handlers for, such as pointer and focus, to every element. */
export function pointAtEverything(chat) {
  const types = ["pointerenter", "mouseover", "error", "load", "animationstart"]
  for (const part of chat.querySelectorAll("*")) {
    part.focus({ preventScroll: true })
    for (const type of types) part.dispatchEvent(new Event(type))
  }
}

/** The addresses that a chat loads or links to. */
export const addressesIn = (chat) =>
  [...chat.querySelectorAll("[src], [href]")].map((part) => part.src ?? part.href)

/** Elements of a chat that extend beyond the window or their container. */
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

/** The elements of a chat that are animated. */
export const movesIn = (chat) => chat.getRootNode().getAnimations().map(String)

/** The violations of the page that axe finds, in lines of its chat that it has not looked at before or in all. */
export async function findingsOf(chat, isWhole) {
  const { checked = [] } = window
  // Several chats on one page have the same names.
  const enabled = document.querySelectorAll("parley-chat").length < 2
  const { violations } = await window.axe.run(
    { exclude: isWhole ? [] : checked },
    { resultTypes: ["violations"], rules: { "landmark-unique": { enabled } } },
  )
  window.checked = [...chat.querySelectorAll(".line")]
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

/** The violations of WCAG 2.2 AA that axe finds in a bubble; the page around it is another's. */
export async function bubbleFindings() {
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
  const { violations } = await window.axe.run("parley-bubble", { runOnly })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

/** The computed values of styles that pages often set. */
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

/** The colours of an element. */
export function colorsOf(element) {
  const { color, backgroundColor } = getComputedStyle(element)
  return [color, backgroundColor]
}

/** The computed value of one style of an element. */
export const styleOf = (element, name) => getComputedStyle(element)[name]

/** What elements say, in all trees below them: texts, and the labels and hints of their parts. */
export function wordsIn(elements) {
  const words = new Set()
  const add = (text) => text?.trim() && words.add(text.trim())
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) add(node.data)
    for (const name of ["aria-label", "placeholder", "title", "alt"]) add(node.getAttribute?.(name))
    for (const child of node.childNodes) visit(child)
    if (node.shadowRoot) visit(node.shadowRoot)
  }
  for (const element of elements) visit(element)
  return [...words]
}

/** The words of buttons that take more than one line, in all trees below elements. */
export function brokenButtons(elements) {
  const linesOf = (button) => {
    const range = document.createRange()
    range.selectNodeContents(button)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size
  }
  const buttons = elements.flatMap((each) => [...each.querySelectorAll(".button.send")])
  return buttons.filter((each) => linesOf(each) > 1).map(({ textContent }) => textContent)
}

/** Hints that are longer than their fields, and texts that are wider than what holds them. */
export function unfitting(chats) {
  const pen = document.createElement("canvas").getContext("2d")
  const isTooLong = (field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    pen.font = font
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    return pen.measureText(field.placeholder).width > room
  }
  return chats.flatMap((chat) => [
    ...[...chat.querySelectorAll("[placeholder]")]
      .filter(isTooLong)
      .map((field) => `${field.placeholder} in ${field.clientWidth} px`),
    ...[...chat.querySelectorAll("button, label, span, p, strong")]
      .filter((part) => !part.matches(".for-readers") && part.scrollWidth > part.clientWidth + 1)
      .filter((part) => getComputedStyle(part).display !== "inline")
      .map((part) => part.outerHTML.slice(0, 120)),
  ])
}

/** The attribute `lang` of elements. */
export const languagesOf = (elements) => elements.map((element) => element.getAttribute("lang"))

/** Refuses what stores or passes on anything, as Firefox does where cookies are blocked; must run first. */
export function forbidStorage() {
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError")
  }
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get: refuse })
  }
  window.BroadcastChannel = class {
    constructor() {
      refuse()
    }
  }
}

/** Names the locale of the system as the language, as Chromium does under some of Linux; must run first. */
export function nameSystem() {
  Object.defineProperty(navigator, "language", { value: "en-US@posix" })
  Object.defineProperty(navigator, "languages", { value: ["en-US@posix"] })
}

/** Whether the chat of a page shows at least so many lines. */
export const hasLines = (count) =>
  document
    .querySelector("parley-chat")
    .shadowRoot.querySelector(".box > div")
    .shadowRoot.querySelectorAll(".line .bubble:not(.typing)").length >= count

/** Whether the whole of an element is within the part of a conversation that is shown. */
export function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect()
  const view = element.closest(".scroller").getBoundingClientRect()
  return top >= view.top && bottom <= view.bottom
}
