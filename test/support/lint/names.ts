/** Examples for the rules about variables and ids. */
import { ask, block, bot, group, idOf, say, set } from "../bots.ts"
import { changed, type Examples, hello } from "./examples.ts"

/** By rule. */
export const names: Record<string, Examples> = {
  "unknown-variable": {
    fails: [
      [
        { ...bot(group("A", say("Hi {{Nam}}"))), variables: [] },
        "/groups/0/blocks/0/content/richText/0/children/0/text",
      ],
      [
        {
          ...bot(group("A", set("X", "{{= {{Nam}}.length =}}"))),
          variables: [{ id: "vX", name: "X" }],
        },
        "/groups/0/blocks/0/options/expressionToEvaluate",
      ],
      [
        { ...bot(hello), theme: { chat: { hostAvatar: { url: "{{Face}}" } } } },
        "/theme/chat/hostAvatar/url",
      ],
    ],
    passes: [
      bot(group("A", say("Hi {{Name}}"))),
      {
        ...bot(group("A", { type: "text", content: { html: "{{Old}}", richText: [] } })),
        variables: [],
      },
      { ...bot(group("A", block("hologram", { text: "{{Who}}" }))), variables: [] },
    ],
  },
  "unknown-variable-id": {
    fails: [
      [
        { ...bot(group("A", ask.text({ saves: "Name" }), say("x"))), variables: [] },
        "/groups/0/blocks/0/options/variableId",
      ],
      [
        bot({ settings: { general: { toolVariableIds: ["gone"] } } }, hello),
        "/settings/general/toolVariableIds/0",
      ],
    ],
    passes: [
      bot(group("A", ask.text({ saves: "Name" }), say("x"))),
      { ...bot(group("A", block("hologram", { variableId: "gone" }))), variables: [] },
      bot(group("A", block("blink", { sections: [{ type: "Text", variableid: "no id at all" }] }))),
    ],
  },
  "unused-variable": {
    fails: [[bot({ variables: { Spare: null } }, hello), "/variables/0"]],
    passes: [
      bot(group("A", say("{{Name}}"))),
      bot(group("A", ask.text({ saves: "Name" }), say("x"))),
      bot(
        { variables: { N: null } },
        group("A", block("Code", { content: 'setVariable("N", 1)' })),
      ),
      bot({ variables: { N: null } }, group("A", block("hologram", { keeps: idOf("N") }))),
      bot({ variables: { N: null }, settings: { metadata: { title: "{{N}}" } } }, hello),
    ],
  },
  "long-text": {
    fails: [
      [{ ...bot(hello), variables: [{ id: "v", name: "n".repeat(1_001) }] }, "/variables/0/name"],
      [
        bot(group("A", say("x".repeat(100_001)))),
        "/groups/0/blocks/0/content/richText/0/children/0/text",
      ],
    ],
    passes: [{ ...bot(hello), variables: [{ id: "v", name: "n".repeat(1_000) }] }],
  },
  "duplicate-variable": {
    fails: [
      [
        changed(bot(group("A", say("{{N}}"))), ({ variables }) => ({
          variables: [...variables, { id: "second", name: "N" }],
        })),
        "/variables/1/name",
      ],
    ],
    passes: [bot(group("A", say("{{N}} {{n}}")))],
  },
  "duplicate-id": {
    fails: [
      [bot(group("A", say("x", { id: "b" }), say("y", { id: "b" }))), "/groups/0/blocks/1/id"],
      [bot(hello, hello), "/groups/1/id"],
    ],
    passes: [bot(group("A", say("x"), say("y")))],
  },
}
