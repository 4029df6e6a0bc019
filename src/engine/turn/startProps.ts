/** Code that pages load before the chat: head code and trackers. Previews log it instead. */

import { memoize } from "../../lib/memoize.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import { typeOf } from "../blocks/registry.ts"
import type { Bot } from "../bot.ts"
import type { ClientAction } from "../payload.ts"
import { countPrinted } from "./budget.ts"
import { type Run, rootBotOf } from "./run.ts"

type StartProps = Extract<ClientAction, { type: "startPropsToInject" }>["startPropsToInject"]

const names = {
  customHeadCode: "Custom head code",
  googleAnalyticsId: "Google Analytics",
  pixelIds: "Pixel",
  gtmId: "Google Tag Manager",
} as const

/** Live: the first action of the start. Preview: a log of what was omitted. */
export function addStartProps(run: Run): void {
  const props = startPropsOf(rootBotOf(run))
  const present = Object.keys(names).filter(
    (name): name is keyof typeof names => props[name as keyof typeof names] !== undefined,
  )
  if (present.length === 0) return
  if (!run.session.isPreview) {
    countPrinted(run, props)
    run.actions.unshift({ type: "startPropsToInject", startPropsToInject: props })
    return
  }
  const list = present.map((name) => names[name]).join(", ")
  const verb = present.length === 1 ? "is" : "are"
  run.logs.push({ status: "info", description: `${list} ${verb} not enabled in Preview mode` })
}

const startPropsOf = memoize(({ flow }: Bot): StartProps => {
  const { customHeadCode, googleTagManagerId } = flow.settings.metadata ?? {}
  const trackers = flow.groups.flatMap((group) =>
    group.blocks.map((block) => typeOf(block).startProps?.(block) ?? {}),
  )
  const googleAnalyticsId = trackers.find((each) => each.googleAnalyticsId)?.googleAnalyticsId
  const pixelIds = trackers.flatMap((each) => (each.pixelId ? [each.pixelId] : []))
  const headCode = customHeadCode ? elementsOf(customHeadCode) : ""
  return nonEmpty({
    customHeadCode: headCode,
    gtmId: googleTagManagerId,
    googleAnalyticsId,
    pixelIds,
  })
})

/** The elements of some HTML, without the text between them, which the page would show. */
export function elementsOf(html: string): string {
  // No tag ends after the last bracket, so each search below stops at a tag.
  const code = html.slice(0, html.lastIndexOf(">") + 1)
  const lower = code.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const lastComment = code.lastIndexOf("-->")
  const opening = /<(?:!--|([a-z][a-z0-9-]*)\b[^>]*>)/g
  let kept = ""
  for (let open = opening.exec(lower); open; open = opening.exec(lower)) {
    const { 0: tag, 1: name, index } = open
    if (name === undefined) {
      if (index + tag.length <= lastComment) opening.lastIndex = code.indexOf("-->", index + 4) + 3
      continue
    }
    const close =
      voidElements.has(name) || tag.endsWith("/>")
        ? index
        : (closing(lower, name, index) ?? html.length)
    const end = close === index ? index + tag.length : close
    kept += html.slice(index, end)
    opening.lastIndex = end
  }
  return kept
}

/** The end of an element, after its closing tag; undefined when it has none. */
function closing(code: string, name: string, from: number): number | undefined {
  const close = code.indexOf(`</${name}>`, from)
  return close < 0 ? undefined : close + name.length + 3
}

const voidElements = new Set(["meta", "link", "base", "img", "br", "hr", "input", "source", "wbr"])
