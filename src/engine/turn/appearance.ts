/** The appearance of a chat: theme and settings with their variables filled in. */

import { memoize } from "../../lib/memoize.ts"
import { defined } from "../../lib/presentMembers.ts"
import type { Flow } from "../bot.ts"
import { readingUnits, spend } from "../budget/fuel.ts"
import type { DynamicTheme } from "../payload.ts"
import { interpolate, type Scope } from "../variables/interpolate.ts"
import { interpolateStructure } from "../variables/interpolateStructure.ts"
import { contextOf } from "./blockContext.ts"
import { type ClientAppearance, type Run, rootBotOf } from "./run.ts"

/** The theme with its variables, without rules that hide the badge. */
export function themeOf(run: Run): Flow["theme"] {
  const theme = interpolateStructure(rootBotOf(run).flow.theme, contextOf(run))
  const { customCss } = theme
  if (customCss === undefined) return theme
  spend(run.fuel, readingUnits(customCss.length))
  return { ...theme, customCss: withoutBadgeRules(customCss) }
}

/** The settings that clients need; head code and trackers are sent as an action, tools are for assistants. */
export function settingsOf(run: Run): ClientAppearance["settings"] {
  const { general, typingEmulation, metadata } = rootBotOf(run).flow.settings
  const { customHeadCode, googleTagManagerId, ...shown } = metadata ?? {}
  const { isTool, toolDescription, toolVariableIds, ...switches } = general ?? {}
  return interpolateStructure(
    defined({ general: general && switches, typingEmulation, metadata: metadata && shown }),
    contextOf(run),
  )
}

/** The addresses of the theme that begin with a variable; undefined when none does. */
export function dynamicThemeOf(run: Run): DynamicTheme | undefined {
  const templates = templatesOf(rootBotOf(run).flow.theme)
  if (!templates) return undefined
  const scope: Scope = contextOf(run)
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, interpolate(template, scope)]),
  )
}

/** The parts of the flow that this turn's appearance reads: all on start, else those with variables. */
export function appearanceParts(run: Run): object[] {
  const { theme, settings } = rootBotOf(run).flow
  const dynamic = templatesOf(theme)
  return run.appearance ? [theme, settings] : dynamic ? [dynamic] : []
}

/** The templates of the dynamic addresses; undefined when there are none. */
const templatesOf = memoize(({ chat, general }: Flow["theme"]): DynamicTheme | undefined => {
  const { hostAvatar, guestAvatar } = chat ?? {}
  const candidates = {
    hostAvatarUrl: hostAvatar?.isEnabled === false ? undefined : hostAvatar?.url,
    guestAvatarUrl: guestAvatar?.isEnabled === true ? guestAvatar.url : undefined,
    backgroundUrl: general?.background?.content,
  }
  const dynamic = Object.entries(candidates).filter(([, template]) => template?.startsWith("{{"))
  return dynamic.length > 0 ? Object.fromEntries(dynamic) : undefined
})

/** Drops rules that name the badge, but not their comments: the plan decides whether it shows. */
function withoutBadgeRules(css: string): string {
  if (!/lite-badge/i.test(css)) return css
  const bare = withBlankComments(css)
  let kept = ""
  let copied = 0
  let selector = 0
  let rule: number | undefined
  // Scans from brace to brace: a pattern for whole rules is quadratic on text without braces.
  for (const { 0: brace, index } of bare.matchAll(/[{}]/g)) {
    if (brace === "{") rule = selector
    else if (rule !== undefined) {
      const text = bare.slice(rule, index)
      if (/lite-badge/i.test(text)) {
        const comments = css.slice(rule, rule + text.search(/\S/))
        kept += css.slice(copied, rule) + comments.trimEnd()
        copied = index + 1
      }
      rule = undefined
    }
    selector = index + 1
  }
  return kept + css.slice(copied)
}

/** Replaces comments with spaces; an unclosed comment reaches to the end. */
function withBlankComments(css: string): string {
  return css.replace(/\/\*.*?(?:\*\/|$)/gs, (comment) => " ".repeat(comment.length))
}
