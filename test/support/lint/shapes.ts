/** Examples for the rules about bots whose shape is wrong. */
import { bot } from "../bots.ts"
import { changed, type Examples, hello } from "./examples.ts"

/** By rule. */
export const shapes: Record<string, Examples> = {
  "invalid-shape": {
    fails: [
      ["a text", ""],
      [{ ...bot(hello), groups: {} }, "/groups"],
      [changed(bot(hello), () => ({ edges: [{ id: "e" }] })), "/edges/0/from", "/edges/0/to"],
      [
        { ...bot(hello), settings: { general: { isBrandingEnabled: "no" } } },
        "/settings/general/isBrandingEnabled",
      ],
    ],
    passes: [bot(hello), { events: [{ id: "s", type: "start" }] }],
  },
  "unknown-version": {
    fails: [
      [{ ...bot(hello), version: "7" }, "/version"],
      [{ ...bot(hello), version: 6.2 }, "/version"],
    ],
    passes: [bot(hello), { ...bot(hello), version: 6 }, bot({ version: "3" }, hello)],
  },
  "no-start": {
    fails: [
      [{ ...bot(hello), events: [] }, "/events"],
      [{ version: "6", groups: bot(hello).groups }, "/groups"],
      [{ groups: [] }, "/groups"],
    ],
    passes: [bot(hello), bot({ version: "5" }, hello)],
  },
}
