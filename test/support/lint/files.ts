/** Examples for the rules about files of authors. */
import { bot, group, show } from "../bots.ts"
import type { Examples } from "./examples.ts"

const keyOf = (name: string) => `public/${"0a".repeat(16)}/${name.repeat(32)}.png`
const surroundings = {
  files: ["a", "b"].map((name) => ({ name: `${name}.png`, key: keyOf(name) })),
}
const shown = (name: string) => `https://parley.example.com/files/${keyOf(name)}`

/** By rule. */
export const files: Record<string, Examples> = {
  "unused-file": {
    fails: [
      [{ flow: bot(group("A", show("image", { url: shown("a") }))), surroundings }, ""],
      [{ flow: bot(group("A")), surroundings }, "", ""],
    ],
    passes: [
      bot(group("A")),
      {
        flow: bot(
          { theme: { customCss: `.bubble { background: url(${shown("b")}) }` } },
          group("A", show("image", { url: shown("a") })),
        ),
        surroundings,
      },
    ],
  },
}
