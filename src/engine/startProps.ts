/** What a page loads before the chat: head code and trackers, or in a preview a word about them. */
import { typeOf } from "./blocks/registry.ts"
import type { Bot } from "./bot.ts"
import type { ClientAction } from "./payload.ts"
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
    run.actions.unshift({ type: "startPropsToInject", startPropsToInject: props })
    return
  }
  const list = present.map((name) => names[name]).join(", ")
  const verb = present.length === 1 ? "is" : "are"
  run.logs.push({ status: "info", description: `${list} ${verb} not enabled in Preview mode` })
}

const known = new WeakMap<Bot, StartProps>()

function startPropsOf(bot: Bot): StartProps {
  let props = known.get(bot)
  if (!props) {
    props = collect(bot)
    known.set(bot, props)
  }
  return props
}

function collect({ flow }: Bot): StartProps {
  const { customHeadCode, googleTagManagerId } = flow.settings.metadata ?? {}
  const trackers = flow.groups.flatMap((group) =>
    group.blocks.map((block) => typeOf(block).startProps?.(block) ?? {}),
  )
  const googleAnalyticsId = trackers.find((each) => each.googleAnalyticsId)?.googleAnalyticsId
  const pixelIds = trackers.flatMap((each) => (each.pixelId ? [each.pixelId] : []))
  const headCode = customHeadCode ? elementsOf(customHeadCode) : ""
  return {
    ...(headCode ? { customHeadCode: headCode } : {}),
    ...(googleTagManagerId ? { gtmId: googleTagManagerId } : {}),
    ...(googleAnalyticsId ? { googleAnalyticsId } : {}),
    ...(pixelIds.length > 0 ? { pixelIds } : {}),
  }
}

/** The elements of a piece of HTML: text between them would show up on the page. */
export function elementsOf(html: string): string {
  let kept = ""
  let rest = html
  for (;;) {
    const open = /<([a-z][a-z0-9-]*)\b[^>]*>|<!--[\s\S]*?-->/i.exec(rest)
    if (!open) return kept
    const [whole, name] = open
    const start = open.index
    if (name === undefined || whole.endsWith("/>") || voidElements.has(name.toLowerCase())) {
      if (name !== undefined) kept += whole
      rest = rest.slice(start + whole.length)
      continue
    }
    const close = rest.toLowerCase().indexOf(`</${name.toLowerCase()}>`, start)
    const end = close < 0 ? rest.length : close + name.length + 3
    kept += rest.slice(start, end)
    rest = rest.slice(end)
  }
}

const voidElements = new Set(["meta", "link", "base", "img", "br", "hr", "input", "source", "wbr"])
