/** Sends events to the trackers of the page around the chat, and loads them if the page trusts the bot. */
import type { ActionOf } from "../payload.ts"
import type { Talk } from "../talk/talk.ts"

type StartProps = ActionOf<"startPropsToInject">["startPropsToInject"]
type Tracker = (...words: unknown[]) => void

declare global {
  interface Window {
    dataLayer?: unknown[]
    gtag?: Tracker
    fbq?: Tracker & { queue?: unknown[]; callMethod?: Tracker }
  }
}

/** The trackers of this page, whichever chats have loaded them: one that is loaded twice counts twice. */
const loaded = new Set<string>()

function isFirst(id: string): boolean {
  if (loaded.has(id)) return false
  loaded.add(id)
  return true
}

/** Loads the author's trackers. Head code is part of the page, which the service renders. */
export function injectTrackers(talk: Talk, props: StartProps): void {
  if (!talk.page.isTrusted) throw new Error("This page runs no head code and no trackers of bots")
  const { gtmId, googleAnalyticsId, pixelIds = [] } = props
  const load = (address: string) => {
    const script = document.createElement("script")
    script.async = true
    script.src = address
    document.head.append(script)
  }
  const gtmHost = "https://www.googletagmanager.com"
  if (gtmId || googleAnalyticsId) window.dataLayer ??= []
  if (gtmId && isFirst(gtmId)) {
    window.dataLayer?.push({ "gtm.start": Date.now(), event: "gtm.js" })
    load(`${gtmHost}/gtm.js?id=${encodeURIComponent(gtmId)}`)
  }
  if (googleAnalyticsId && isFirst(googleAnalyticsId)) {
    // The library recognises its own calls by the type of what they push.
    window.gtag ??= function gtag() {
      // biome-ignore lint/complexity/noArguments: gtag.js reads only Arguments objects.
      window.dataLayer?.push(arguments)
    }
    window.gtag("js", new Date())
    window.gtag("config", googleAnalyticsId)
    load(`${gtmHost}/gtag/js?id=${encodeURIComponent(googleAnalyticsId)}`)
  }
  const newPixelIds = pixelIds.filter(isFirst)
  if (newPixelIds.length > 0) openPixel(newPixelIds, load)
}

function openPixel(pixelIds: readonly string[], load: (address: string) => void): void {
  if (!window.fbq) {
    const queue: unknown[] = []
    const fbq: Window["fbq"] = (...words) => {
      if (fbq?.callMethod) fbq.callMethod(...words)
      else queue.push(words)
    }
    window.fbq = Object.assign(fbq ?? (() => {}), { queue, loaded: true, version: "2.0" })
    load("https://connect.facebook.net/en_US/fbevents.js")
  }
  for (const pixelId of pixelIds) window.fbq("init", pixelId)
  window.fbq("track", "PageView")
}

/** Sends an event if the page has the library, which is not loaded for it. */
export function sendToAnalytics(event: ActionOf<"googleAnalytics">["googleAnalytics"]): void {
  const { action, category, label, value, sendTo } = event
  if (!action) return
  window.gtag?.("event", action, {
    ...(category !== undefined && { event_category: category }),
    ...(label !== undefined && { event_label: label }),
    ...(value !== undefined && { value }),
    ...(sendTo !== undefined && { send_to: sendTo }),
  })
}

/** Sends an event if the page has the library, which is not loaded for it. */
export function sendToPixel(event: ActionOf<"pixel">["pixel"]): void {
  const { pixelId, eventType, name, params = [] } = event
  if (!pixelId || !eventType) return
  const isCustom = eventType === "Custom"
  const values = Object.fromEntries(params.flatMap(({ key, value }) => (key ? [[key, value]] : [])))
  window.fbq?.(
    isCustom ? "trackSingleCustom" : "trackSingle",
    pixelId,
    isCustom ? name : eventType,
    values,
  )
}
