/** What a page loads before the chat: head code and trackers. Previews only say what they leave out. */

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

/** Live: the first action of the start. Preview: a log that names what was left out. */
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

/** The elements of a piece of HTML: text between them would show up on the page. */
export function elementsOf(html: string): string {
  // No tag opens after the last bracket, so each of the searches below ends at a tag.
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

/** Where an element ends: behind its closing tag; undefined when there is none. */
function closing(code: string, name: string, from: number): number | undefined {
  const close = code.indexOf(`</${name}>`, from)
  return close < 0 ? undefined : close + name.length + 3
}

const voidElements = new Set(["meta", "link", "base", "img", "br", "hr", "input", "source", "wbr"])
