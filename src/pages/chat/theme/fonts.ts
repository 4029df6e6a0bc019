/** Applies the font of a theme, and loads it if the theme says from where. */
import type { Theme } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"

type Font = NonNullable<NonNullable<Theme["general"]>["font"]>
type FontSource = Exclude<Font, string>

const defaultFonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** The font families, as CSS; undefined: the default ones. */
export function familyOf(font: Font | undefined): string | undefined {
  const family = typeof font === "string" ? font : font?.family
  const name = family?.replace(/["\\\n\r]/g, "").trim()
  return name ? `"${name}", ${defaultFonts}` : undefined
}

/** Loads the faces of a font. A font given only by name must be installed on the person's machine. */
export async function loadFont(font: FontSource): Promise<void> {
  const css = await cssOf(font)
  if (!css) return
  // Browsers ignore font faces in the style sheets of a shadow tree, so each is added to the page.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSFontFaceRule)) continue
    const read = (name: string) => rule.style.getPropertyValue(name)
    const family = read("font-family").replace(/["']/g, "")
    const face = new FontFace(family, read("src"), {
      display: "swap",
      style: read("font-style") || "normal",
      weight: read("font-weight") || "normal",
      unicodeRange: read("unicode-range") || "U+0-10FFFF",
    })
    document.fonts.add(face)
  }
}

async function cssOf(font: FontSource): Promise<string | undefined> {
  if (font.type === "Custom" && font.css) return font.css
  if (font.type === "Custom") return await textAt(mediaAddress(font.url))
  const { family = "Open Sans" } = font
  // Google refuses weights that a font does not have, as many display fonts do not.
  return (
    (await textAt(googleAddress(`${family}:wght@400;600;700`))) ?? textAt(googleAddress(family))
  )
}

async function textAt(address: string | undefined): Promise<string | undefined> {
  if (!address) return undefined
  const response = await fetch(address, { credentials: "omit" }).catch(() => undefined)
  return response?.ok ? await response.text() : undefined
}

function googleAddress(family: string): string {
  return `https://fonts.googleapis.com/css2?${new URLSearchParams({ family, display: "swap" })}`
}
