/** The contrast of built-in themes, computed from the properties of a look and the style sheets. */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { builtInThemes } from "../../../bots/builtInThemes.ts"
import { themeSchema } from "../../../engine/schema/theme.ts"
import { lookOf } from "./theme.ts"

const sheets = ["chat", "conversation", "inputs", "choices", "rating", "files"]
const styles = sheets
  .map((name) => readFileSync(new URL(`../styles/${name}.css`, import.meta.url), "utf8"))
  .join("\n")

/** WCAG 2.2: texts (1.4.3), and what must be seen to use something (1.4.11). */
const text = 4.5
const shape = 3

const page = "page"
const host = "var(--host-background, var(--raised))"
const guest = "var(--guest-background, var(--accent))"
const button = "var(--button-background, var(--accent))"
const field = "var(--input-background, var(--surface))"

/** Each colour of the style sheets for texts and icons, and its background. */
const drawnOn: Readonly<Record<string, readonly [behind: string, least: number][]>> = {
  "var(--container-color, var(--text))": [[page, text]],
  "var(--host-color, var(--text))": [[host, text]],
  "var(--guest-color, var(--on-accent))": [[guest, text]],
  "var(--button-color, var(--on-accent))": [[button, text]],
  "var(--input-color, var(--text))": [[field, text]],
  "var(--input-placeholder, var(--quiet))": [[field, text]],
  "var(--text)": [["var(--surface)", text]],
  // Placeholder of a missing picture.
  "var(--quiet)": [[page, text]],
  // Beside a field, and in the line of a file.
  "var(--danger)": [
    ["var(--surface)", text],
    [field, text],
  ],
  // Stars that are not lit, and those that are.
  "var(--line)": [[page, shape]],
  "var(--button-background, var(--accent))": [[page, shape]],
  "#1c2230": [["#ffffff", text]],
}

/** Edges of what can be used. */
const edges: readonly [edge: string, behind: string][] = [
  ["var(--input-border-color, var(--line))", page],
  ["var(--focus)", page],
  ["var(--focus)", field],
  ["var(--progress-color, var(--accent))", "var(--progress-background, var(--raised))"],
]

/** Code and hovered buttons, whose backgrounds the style sheets make of others. */
const shades: readonly [front: string, behind: string, shade: (color: Rgb) => Rgb][] = [
  ["var(--host-color, var(--text))", host, (color) => blended(color, 0.16)],
  ["var(--guest-color, var(--on-accent))", guest, (color) => blended(color, 0.16)],
  ["var(--button-color, var(--on-accent))", button, (color) => brighter(color, 1.08)],
]

const looks = builtInThemes.flatMap(({ name, theme }) =>
  [false, true].map((prefersDark) => ({
    title: `${name}, for visitors who prefer ${prefersDark ? "dark" : "light"} pages`,
    theme,
    prefersDark,
  })),
)

// Resolves colours like the browser. Those of built-in themes are all in the one notation.
beforeAll(() => {
  vi.stubGlobal("CSS", { supports: () => true })
  const context = { fillStyle: "" }
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => context }) })
})
afterAll(() => void vi.unstubAllGlobals())

test("there are a dozen or more, with ids and names of their own, and all are themes", () => {
  expect(builtInThemes.length).toBeGreaterThanOrEqual(12)
  for (const member of ["id", "name"] as const) {
    expect(new Set(builtInThemes.map((each) => each[member])).size).toBe(builtInThemes.length)
  }
  for (const { theme } of builtInThemes) expect(themeSchema.parse(theme)).toEqual(theme)
})

test("no font, picture or style of others is loaded, and no colour lets another through", () => {
  const all = JSON.stringify(builtInThemes)
  expect(all).not.toMatch(/https?:|url\(|customCss|Google|opacity/)
  for (const [, color = ""] of all.matchAll(/"(?:\w*[cC]olor|content)":"([^"]*)"/g)) {
    expect(color).toMatch(/^#[0-9a-f]{6}$/)
  }
})

test("every colour that the style sheets give to texts and icons is in the table", () => {
  const colors = styles.matchAll(/(?<![-\w])color:\s*([^;]+);/g)
  const used = new Set([...colors].map(([, color = ""]) => color.replace(/\s+/g, " ")))
  used.delete("inherit")
  expect([...used].sort()).toEqual(Object.keys(drawnOn).sort())
})

describe.each(looks)("$title", ({ theme, prefersDark }) => {
  test("can be read", () => {
    const color = colorsOf(theme, prefersDark)
    const texts = Object.entries(drawnOn).flatMap(([front, all]) =>
      all.map(([behind, least]) => ({ front, behind, least, back: color(behind) })),
    )
    const lines = edges.map(([front, behind]) => ({
      ...{ front, behind, least: shape, back: color(behind) },
    }))
    const shaded = shades.map(([front, behind, shade]) => ({
      ...{ front, behind: `shaded ${behind}`, least: text, back: shade(color(behind)) },
    }))
    const poor = [...texts, ...lines, ...shaded]
      .map((pair) => ({ ...pair, ratio: ratioOf(color(pair.front), pair.back) }))
      .filter(({ ratio, least }) => ratio < least)
      .map(({ front, behind, ratio }) => `${front} on ${behind}: ${ratio.toFixed(2)}`)
    expect(poor).toEqual([])
  })
})

type Rgb = readonly [number, number, number]

/** Reads colours of a look as the style sheets name them. */
function colorsOf(theme: Parameters<typeof lookOf>[0], prefersDark: boolean) {
  const { properties, isDark } = lookOf(theme, {}, prefersDark)
  const own: Record<string, string | undefined> = {
    ...propertiesOf(".chat {"),
    ...(isDark && propertiesOf(".chat.dark {")),
    ...properties,
  }
  const resolved = (css: string): string => {
    if (css === page)
      return resolved("var(--container-background, var(--background, var(--surface)))")
    const [, name = "", , fallback] = /^var\((--[\w-]+)(, (.+))?\)$/s.exec(css) ?? []
    if (name === "") return css
    return resolved(own[name] ?? fallback ?? "nothing")
  }
  return (css: string): Rgb => {
    const [, hex = ""] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/.exec(resolved(css)) ?? []
    if (hex === "") throw new Error(`${css} is ${resolved(css)}, which is no colour`)
    const whole = hex.length === 6 ? hex : hex.replace(/./g, "$&$&")
    const part = (at: number) => Number.parseInt(whole.slice(at, at + 2), 16)
    return [part(0), part(2), part(4)]
  }
}

/** The custom properties that a rule sets. */
function propertiesOf(selector: string): Record<string, string> {
  const from = styles.indexOf(selector)
  expect(from, selector).toBeGreaterThanOrEqual(0)
  const rule = styles.slice(from, styles.indexOf("}", from))
  return Object.fromEntries(
    [...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  )
}

function mapped(color: Rgb, change: (part: number) => number): Rgb {
  return [change(color[0]), change(color[1]), change(color[2])]
}

/** With a share of the grey `rgb(127 127 127)` over it. */
function blended(color: Rgb, share: number): Rgb {
  return mapped(color, (part) => part * (1 - share) + 127 * share)
}

function brighter(color: Rgb, factor: number): Rgb {
  return mapped(color, (part) => Math.min(255, part * factor))
}

function luminanceOf(color: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])
}

function ratioOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
