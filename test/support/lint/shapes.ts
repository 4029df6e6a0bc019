/** Examples for the rules about bots whose shape is wrong. */
import { ask, block, bot, group } from "../bots.ts"
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
      // Of before version 3.
      [{ blocks: [{ id: "b", steps: [{ id: "s", type: "start" }] }], edges: [] }, "/blocks"],
    ],
    passes: [bot(hello), { events: [{ id: "s", type: "start" }] }],
  },
  "unknown-member": {
    fails: [
      [
        withMisspelt(bot(group("A", ask.text({ labels: { button: "Go" } })))),
        "/groups/0/blocks/0/options/labels/buton",
      ],
      [{ ...bot(hello), setings: {} }, "/setings"],
      [
        changed(bot(hello), ({ groups }) => ({
          groups: groups.map((each) => ({ ...each, color: "red" })),
        })),
        "/groups/0/color",
      ],
    ],
    passes: [
      bot(hello),
      // What services add to exports, and what versions before 5 had.
      { ...bot(hello), createdAt: "2026-01-01T00:00:00Z", isClosed: false, unknown: null },
      // Nothing is known of the members of an unknown block.
      bot(group("A", block("hologram", { text: "Hi" }))),
    ],
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

/** Bots are read as they are made. */
function withMisspelt(flow: object): object {
  return JSON.parse(JSON.stringify(flow).replace('"button"', '"buton"')) as object
}
