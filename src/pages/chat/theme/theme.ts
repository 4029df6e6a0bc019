/** Converts the theme of a bot to the custom properties that the style sheets use. */
import type { DynamicTheme, Theme } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { isDark, readableOn } from "./contrast.ts"
import { cssValue } from "./css.ts"
import { familyOf } from "./fonts.ts"

/** Custom properties; undefined: not set. */
type Properties = Readonly<Record<`--${string}`, string | undefined>>

/** The look of a chat: custom properties, and parts that cannot be expressed as one. */
export type Look = {
  properties: Properties
  isDark: boolean
  /** Whether the chat is a visible box in front of the background. */
  isBoxed: boolean
  /** Address of the avatar beside the messages; undefined: none, "": the default one. */
  hostAvatar: string | undefined
  guestAvatar: string | undefined
}

type Boxes = NonNullable<Theme["chat"]>
type Box = NonNullable<Boxes["hostBubbles"]>

/** The look of a theme; `prefersDark` counts if the theme has no background colour. */
export function lookOf(theme: Theme, dynamic: DynamicTheme, prefersDark: boolean): Look {
  const { general, chat } = theme
  const background = backgroundOf(theme, dynamic)
  const surface = surfaceOf(chat?.container) ?? background.color
  const properties: Properties = {
    "--background": background.color,
    "--background-image": background.image,
    "--font": familyOf(general?.font),
    ...boxProperties("container", chat?.container),
    "--container-width": cssValue("max-width", chat?.container?.maxWidth),
    "--container-height": cssValue("max-width", chat?.container?.maxHeight),
    ...boxProperties("host", chat?.hostBubbles, chat?.roundness),
    ...boxProperties("guest", chat?.guestBubbles, chat?.roundness),
    ...boxProperties("button", chat?.buttons, chat?.roundness),
    ...boxProperties("input", chat?.inputs, chat?.roundness),
    "--input-placeholder": cssValue("color", chat?.inputs?.placeholderColor),
    "--progress-color": cssValue("color", general?.progressBar?.color),
    "--progress-background": cssValue("color", general?.progressBar?.backgroundColor),
    "--progress-thickness": pixels(general?.progressBar?.thickness),
  }
  return {
    properties,
    isDark: surface ? isDark(surface) : prefersDark,
    isBoxed: ["background", "border-color", "shadow"].some(
      (part) => properties[`--container-${part}`] !== undefined,
    ),
    hostAvatar: avatarOf(chat?.hostAvatar, dynamic.hostAvatarUrl, true),
    guestAvatar: avatarOf(chat?.guestAvatar, dynamic.guestAvatarUrl, false),
  }
}

function backgroundOf(theme: Theme, dynamic: DynamicTheme): { color?: string; image?: string } {
  const { type = "Color", content } = theme.general?.background ?? {}
  const value = dynamic.backgroundUrl ?? content
  if (type === "None") return {}
  if (type === "Image") {
    const address = mediaAddress(value)
    // An absolute address has no quotes, but its query may contain a backslash.
    return address ? { image: `url("${address.replaceAll("\\", "%5C")}")` } : {}
  }
  const color = cssValue("color", value)
  return color ? { color } : {}
}

/** The colour of the container, if it covers the background. */
function surfaceOf(container: Boxes["container"]): string | undefined {
  return (container?.opacity ?? 1) < 0.5 ? undefined : cssValue("color", container?.backgroundColor)
}

const radii = { none: "0px", medium: "8px", large: "20px" } as const

const shadows = {
  none: "none",
  sm: "0 1px 2px rgb(0 0 0 / 0.08)",
  md: "0 2px 6px rgb(0 0 0 / 0.12)",
  lg: "0 6px 16px rgb(0 0 0 / 0.14)",
  xl: "0 12px 28px rgb(0 0 0 / 0.16)",
  "2xl": "0 20px 48px rgb(0 0 0 / 0.22)",
} as const

/** The properties of a kind of box; `usual` is the roundness of all whose border has none of its own. */
function boxProperties(name: string, box: Box = {}, usual?: keyof typeof radii): Properties {
  const { border, shadow, opacity, blur } = box
  const background = cssValue("color", box.backgroundColor)
  const color = cssValue("color", box.color) ?? (background && readableOn(background))
  const borderColor = cssValue("color", border?.color)
  const { roundeness, customRoundeness } = border ?? {}
  const radius =
    roundeness === "custom" ? pixels(customRoundeness) : roundeness && radii[roundeness]
  return {
    [`--${name}-background`]: background && withOpacity(background, opacity),
    [`--${name}-color`]: color,
    [`--${name}-radius`]: radius ?? (usual && radii[usual]),
    [`--${name}-shadow`]: shadow && shadows[shadow],
    [`--${name}-blur`]: blur === undefined ? undefined : `blur(${blur}px)`,
    [`--${name}-border-width`]: pixels(border?.thickness),
    [`--${name}-border-color`]: borderColor && withOpacity(borderColor, border?.opacity),
  }
}

function withOpacity(color: string, opacity: number | undefined): string {
  if (opacity === undefined || opacity >= 1) return color
  return `color-mix(in srgb, ${color} ${Math.round(opacity * 100)}%, transparent)`
}

function pixels(value: number | undefined): string | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : `${Math.max(0, value)}px`
}

function avatarOf(
  avatar: Boxes["hostAvatar"],
  dynamicUrl: string | undefined,
  hasDefault: boolean,
): string | undefined {
  if (!(avatar?.isEnabled ?? hasDefault)) return undefined
  return mediaAddress(dynamicUrl ?? avatar?.url) ?? ""
}
