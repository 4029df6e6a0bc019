/** Examples for the rules about ways through a flow. */
import {
  ask,
  block,
  bot,
  goBack,
  group,
  groupIdOf,
  jump,
  link,
  onCommand,
  say,
  set,
  when,
} from "../bots.ts"
import { changed, type Examples, hello } from "./examples.ts"

const leaving = (edgeId: string) => ({ outgoingEdgeId: edgeId })

const http = (webhook: object, type = "Webhook") => block(type, { webhook })

/** By rule. */
export const ways: Record<string, Examples> = {
  "dangling-edge": {
    fails: [
      [bot(group("A", say("Hi", leaving("gone")))), "/groups/0/blocks/0/outgoingEdgeId"],
      [
        bot(group("A", ask.choice([{ content: "x", ...leaving("gone") }]), say("Bye"))),
        "/groups/0/blocks/0/items/0/outgoingEdgeId",
      ],
      [
        bot(
          group("A", {
            type: "cards",
            items: [{ id: "c", paths: [{ id: "p", ...leaving("no") }] }],
          }),
        ),
        "/groups/0/blocks/0/items/0/paths/0/outgoingEdgeId",
      ],
      [
        changed(bot(hello), ({ edges }) => ({
          edges: [...edges, { id: "left", from: { blockId: "gone" }, to: { groupId: "gHello" } }],
        })),
        "/edges/1",
      ],
      [
        // Reading versions below 5 drops the malformed edge, which moves the others.
        changed(bot({ version: "3" }, hello), ({ edges }) => ({
          edges: [
            { id: "broken" },
            ...edges,
            { id: "left", from: { blockId: "b" }, to: { groupId: "g" } },
          ],
        })),
        "/edges/2",
      ],
    ],
    passes: [bot(group("A", say("Hi", { to: "B" })), group("B", say("Bye")))],
  },
  "edge-without-target": {
    fails: [
      [bot(group("A", say("Hi", { to: "Gone" }))), "/edges/1/to/groupId"],
      [bot(group("A", say("Hi", { to: "B#gone" })), group("B", say("x"))), "/edges/1/to/blockId"],
    ],
    passes: [
      bot(group("A", say("Hi", { to: "B#b" })), group("B", say("x"), say("y", { id: "b" }))),
      // An edge that nothing follows harms nobody: it is reported as dangling.
      changed(bot(hello), ({ edges }) => ({
        edges: [...edges, { id: "left", from: { blockId: "gone" }, to: { groupId: "gone" } }],
      })),
    ],
  },
  "unreachable-group": {
    fails: [
      [bot(hello, group("Island", say("x"))), "/groups/1"],
      [
        bot(hello, group("A", say("x", { to: "B" })), group("B", say("x", { to: "A" }))),
        "/groups/1",
      ],
      [bot(hello, group("B", say("x")), group("A", say("x", { to: "B" }))), "/groups/2"],
      [
        bot(
          hello,
          group("C", say("x", { to: "D" })),
          group("D", say("x", { to: "C" })),
          group("B", say("x", { to: "B" })),
          group("A", say("x", { to: "C" })),
        ),
        "/groups/3",
        "/groups/4",
      ],
      [bot({ version: "5" }, hello, group("Island", say("x"))), "/groups/2"],
    ],
    passes: [
      bot(group("A", jump("B")), group("B", goBack())),
      bot(group("A", block("Jump", { groupId: "{{Where}}" })), group("B", say("x"))),
      bot(group("A", link("current", { groupId: groupIdOf("B") })), group("B", say("x"))),
      {
        flow: bot(group("A", link("me", { groupId: groupIdOf("B") })), group("B", say("x"))),
        surroundings: { botId: "me" },
      },
      bot({ events: [onCommand("help", "Help")] }, hello, group("Help", say("x"))),
      bot({ version: "5" }, hello),
      bot(hello, group("Empty")),
    ],
  },
  "empty-group": {
    fails: [[bot(group("A", say("Hi", { to: "B" })), group("B")), "/groups/1/blocks"]],
    passes: [bot(hello)],
  },
  "dead-end": {
    fails: [
      [bot(group("A", ask.text())), "/groups/0/blocks/0"],
      [bot(group("A", ask.choice(["x"]))), "/groups/0/blocks/0"],
      [
        bot(group("A", ask.choice([{ content: "x", to: "B" }, "y"])), group("B", say("Bye"))),
        "/groups/0/blocks/0/items/1",
      ],
      [bot(group("A", when([["N", "Is set"]]), say("{{N}}"))), "/groups/0/blocks/0/items/0"],
      [bot({ events: [onCommand("help", undefined)] }, hello), "/events/1"],
    ],
    passes: [
      bot(group("A", ask.text(), say("Bye"))),
      bot(
        group("A", ask.choice([{ content: "x", to: "B" }, "y"], { to: "B" })),
        group("B", say("x")),
      ),
      bot(group("A", when([["N", "Is set"]], { to: "B" })), group("B", say("{{N}}"))),
      bot(group("A", { ...ask.text(), ...leaving("gone") })),
    ],
  },
  "cycle-without-input": {
    fails: [
      [bot(group("A", say("x", { to: "A" }))), "/groups/0/blocks/0"],
      [
        bot(
          group("A", say("x", { to: "B" })),
          group("B", say("y"), when([["N", "Is set"]], { to: "A", otherwise: "B" })),
        ),
        "/groups/0/blocks/0",
      ],
      [bot(group("A", say("x"), jump("A"))), "/groups/0/blocks/0"],
      [bot(group("A", link("current"))), "/groups/0/blocks/0"],
    ],
    passes: [
      bot(group("A", say("x"), ask.text({ to: "A" }))),
      bot(group("A", block("Wait", { secondsToWaitFor: "3", shouldPause: true }, { to: "A" }))),
      bot(group("A", set("N", "1", { isExecutedOnClient: true, to: "A" }))),
      bot(group("A", block("webhook", {}, { to: "A" }))),
      bot(
        group("A", http({ url: "https://a.example" }), say("x", { to: "B" })),
        group("B", say("y")),
      ),
      // A ring that no chat can reach harms nobody.
      bot(group("A", say("x")), group("B", when([["N", "Is set"]], { otherwise: "B" }))),
      // In the middle of a group the edge of a bubble is not followed.
      bot(group("A", say("x", { to: "A" }), ask.text({ to: "A" }))),
    ],
  },
  "missing-jump-target": {
    fails: [
      [bot(group("A", block("Jump", { groupId: "gone" }))), "/groups/0/blocks/0/options/groupId"],
      [
        bot(group("A", jump("B", "gone")), group("B", say("x"))),
        "/groups/0/blocks/0/options/blockId",
      ],
      [bot(group("A", { type: "Jump" })), "/groups/0/blocks/0"],
      [bot(group("A", block("Typebot link"))), "/groups/0/blocks/0"],
      [bot(group("A", link("current", { groupId: "gone" }))), "/groups/0/blocks/0/options/groupId"],
      [
        { flow: bot(group("A", link("other"))), surroundings: { botIds: new Set(["another"]) } },
        "/groups/0/blocks/0/options",
      ],
    ],
    passes: [
      bot(group("A", jump("B")), group("B", say("x"))),
      bot(group("A", link("other", { groupId: "of that bot" }))),
      { flow: bot(group("A", link("other"))), surroundings: { botIds: new Set(["other"]) } },
      { flow: bot(group("A", link("me"))), surroundings: { botId: "me", botIds: new Set() } },
    ],
  },
}
