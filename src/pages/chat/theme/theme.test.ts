/** Every member of a theme changes how the chat looks. */
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { themeSchema } from "../../../engine/schema/theme.ts"
import { lookOf } from "./theme.ts"

const box = {
  ...{ backgroundColor: "#ffffff", color: "#111111", blur: 2, opacity: 0.5, shadow: "sm" },
  border: {
    ...{ thickness: 1, color: "#222222", roundeness: "custom", customRoundeness: 3, opacity: 0.9 },
  },
}
const avatar = (name: string) => ({ isEnabled: true, url: `https://example.com/${name}.png` })
const progressBar = { color: "#333333", backgroundColor: "#444444", thickness: 7 }

/** A theme with all members but those that components read by themselves: `test/pages/authorsLook.test.ts`. */
const theme = {
  general: {
    font: "Open Sans",
    background: { type: "Image", content: "https://example.com/a.png" },
    progressBar,
  },
  chat: {
    container: { ...box, maxWidth: "700px", maxHeight: "90%" },
    hostAvatar: { isEnabled: false },
    guestAvatar: avatar("guest"),
    hostBubbles: box,
    guestBubbles: { ...box, border: undefined },
    buttons: box,
    inputs: { ...box, placeholderColor: "#555555" },
    roundness: "large",
  },
}

// The colours of this theme are valid, and in one notation.
beforeAll(() => {
  vi.stubGlobal("CSS", { supports: () => true })
  const context = { fillStyle: "" }
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => context }) })
})
afterAll(() => void vi.unstubAllGlobals())

const looked = (of: unknown) => JSON.stringify(lookOf(themeSchema.parse(of), {}, false))

function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (value === undefined) return []
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
}

function without([name = "", ...rest]: string[], value: unknown): unknown {
  const { [name]: member, ...others } = value as Record<string, unknown>
  return rest.length === 0 ? others : { ...others, [name]: without(rest, member) }
}

test.each(
  leavesOf(theme).map((path) => [path.join("."), path] as const),
)("looks different without %s", (_, path) => {
  expect(looked(without(path, theme))).not.toBe(looked(theme))
})

test("looks different with another avatar of the bot", () => {
  const withAvatar = (hostAvatar: object) => looked({ chat: { hostAvatar } })
  expect(withAvatar(avatar("a"))).not.toBe(withAvatar(avatar("b")))
})
