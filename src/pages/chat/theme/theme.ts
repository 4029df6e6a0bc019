/** Converts the theme of a bot to the custom properties that the style sheets use. */
import type { DynamicTheme, Theme } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { isDark, readableOn } from "./contrast.ts"
import { cssValue } from "./css.ts"
import { familyOf } from "./fonts.ts"

/** The look of a chat: custom properties, and what cannot be expressed as one. */
export type Look = {
  properties: Readonly<Record<`--${string}`, string>>
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
  const properties = compact({
    "--background": background.color,
    "--background-image": background.image,
    "--font": familyOf(general?.font),
    ...containerProperties(chat?.container),
    ...boxProperties("host", chat?.hostBubbles, chat),
    ...boxProperties("guest", chat?.guestBubbles, chat),
    ...boxProperties("button", chat?.buttons, chat),
    ...boxProperties("input", chat?.inputs, chat),
    "--input-placeholder": cssValue("color", chat?.inputs?.placeholderColor),
    "--progress-color": cssValue("color", general?.progressBar?.color),
    "--progress-background": cssValue("color", general?.progressBar?.backgroundColor),
    "--progress-thickness": pixels(general?.progressBar?.thickness),
  })
  return {
    properties,
    isDark: surface ? isDark(surface) : prefersDark,
    isBoxed: ["background", "border-color", "shadow"].some(
      (part) => `--container-${part}` in properties,
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

function containerProperties(box: Boxes["container"]): Properties {
  return {
    ...boxProperties("container", box, undefined),
    "--container-width": cssValue("max-width", box?.maxWidth),
    "--container-height": cssValue("max-width", box?.maxHeight),
  }
}

type Properties = Record<`--${string}`, string | undefined>

const radii = { none: "0px", medium: "8px", large: "20px" } as const

const shadows = {
  none: "none",
  sm: "0 1px 2px rgb(0 0 0 / 0.08)",
  md: "0 2px 6px rgb(0 0 0 / 0.12)",
  lg: "0 6px 16px rgb(0 0 0 / 0.14)",
  xl: "0 12px 28px rgb(0 0 0 / 0.16)",
  "2xl": "0 20px 48px rgb(0 0 0 / 0.22)",
} as const

function boxProperties(name: string, box: Box | undefined, chat: Boxes | undefined): Properties {
  const { border, shadow, opacity, blur } = box ?? {}
  const background = cssValue("color", box?.backgroundColor)
  const color = cssValue("color", box?.color) ?? (background && readableOn(background))
  const { roundeness, customRoundeness } = border ?? {}
  const plain = chat?.roundness && radii[chat.roundness]
  const radius =
    roundeness === "custom" ? pixels(customRoundeness) : roundeness && radii[roundeness]
  return {
    [`--${name}-background`]: background && withOpacity(background, opacity),
    [`--${name}-color`]: color,
    [`--${name}-radius`]: radius ?? plain,
    [`--${name}-shadow`]: shadow && shadows[shadow],
    [`--${name}-blur`]: blur === undefined ? undefined : `blur(${blur}px)`,
    [`--${name}-border-width`]: pixels(border?.thickness),
    [`--${name}-border-color`]: border && borderColor(border),
  }
}

function borderColor(border: NonNullable<Box["border"]>): string | undefined {
  const color = cssValue("color", border.color)
  return color && withOpacity(color, border.opacity)
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

function compact(properties: Properties): Look["properties"] {
  return Object.fromEntries(
    Object.entries(properties).filter(
      (each): each is [`--${string}`, string] => each[1] !== undefined,
    ),
  )
}
