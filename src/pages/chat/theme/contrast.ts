/** Chooses text colours that are readable on a background. */

const light = "#fff"
const dark = "#1c2230"

/** Whether light text is more readable on a colour than dark text. */
export function isDark(color: string): boolean {
  return readableOn(color) === light
}

/** A readable text colour for a background; undefined if the background is mostly transparent. */
export function readableOn(color: string): string | undefined {
  const luminance = luminanceOf(color)
  if (Number.isNaN(luminance)) return undefined
  const withLight = 1.05 / (luminance + 0.05)
  const withDark = (luminance + 0.05) / (luminanceOf(dark) + 0.05)
  return withLight >= 4.5 || withLight >= withDark ? light : dark
}

/** Relative luminance of a colour (WCAG 2.2); NaN if it is mostly transparent or invalid. */
function luminanceOf(color: string): number {
  const [red, green, blue, alpha = 1] = partsOf(color)
  if (red === undefined || green === undefined || blue === undefined || alpha < 0.5)
    return Number.NaN
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

let canvas: CanvasRenderingContext2D | null | undefined

/** Red, green, blue and perhaps opacity of a CSS colour in any notation, read back from a canvas. */
function partsOf(color: string): number[] {
  canvas ??= document.createElement("canvas").getContext("2d")
  if (!canvas) return []
  canvas.fillStyle = "#000"
  canvas.fillStyle = color
  const read = canvas.fillStyle
  const [, hex] = /^#([\da-f]{6})$/.exec(read) ?? []
  if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return /^rgba?\(/.test(read) ? (read.match(/[\d.]+/g) ?? []).map(Number) : []
}
