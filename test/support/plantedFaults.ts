/** Small bots, each with one fault of a kind, and the same bots without it. */
import {
  ask,
  block,
  bot,
  goBack,
  group,
  jump,
  onCommand,
  onIdle,
  onReply,
  say,
  set,
  when,
} from "./bots.ts"
import { type PlantedFault, plantedValueFaults } from "./plantedValueFaults.ts"

export type { PlantedFault } from "./plantedValueFaults.ts"

const thanks = group("Thanks", say("Thank you"))
const http = (more = {}) => block("Webhook", { webhook: { url: "https://crm.example" }, ...more })
const mapped = (path: string, name: string) => ({
  responseVariableMapping: [{ id: "m", bodyPath: path, variableId: `v${name}` }],
})
const other = (isMended: boolean, to: string) => (isMended ? { otherwise: to } : {})

/** One bot of each kind of fault at least. */
export const plantedFaults: PlantedFault[] = [
  {
    what: "a choice without an edge",
    rule: "dead-end",
    also: ["unreached-group"],
    place: /"Menu" › block 2 "choice input" › item 2/,
    make: (isMended) =>
      bot(
        group(
          "Menu",
          say("Which?"),
          ask.choice([
            { content: "Buy", to: "Thanks" },
            { content: "Ask", ...(isMended && { to: "Help" }) },
          ]),
        ),
        thanks,
        group("Help", say("We call you"), ...(isMended ? [] : [])),
      ),
  },
  {
    what: "a condition without else",
    rule: "dead-end",
    place: /"Check" › block 1 "Condition"/,
    make: (isMended) =>
      bot(
        group("Age", ask.number({ saves: "Age", to: "Check" })),
        group(
          "Check",
          when([["Age", "Greater than", "17"]], { to: "Thanks", ...other(isMended, "No") }),
        ),
        thanks,
        ...(isMended ? [group("No", say("Too young"))] : []),
      ),
  },
  {
    what: "a jump to a group that was deleted",
    rule: "dead-end",
    also: ["unreached-group"],
    place: /"Ask" › block 2 "Jump"/,
    make: (isMended) =>
      bot(group("Ask", ask.text({ saves: "Name" }), jump(isMended ? "Thanks" : "Gone")), thanks),
  },
  {
    what: "an edge to a group that was deleted",
    rule: "dead-end",
    place: /"Ask" › block 2 "text"/,
    make: (isMended) =>
      bot(
        group("Ask", ask.text(), say("On", { to: isMended ? "Thanks" : "Gone" })),
        ...(isMended ? [thanks] : []),
      ),
  },
  {
    what: "an empty group",
    rule: "dead-end",
    place: /"Ask" › block 1 "text input"/,
    make: (isMended) =>
      bot(
        group("Ask", ask.text({ to: "Next" })),
        group("Next", ...(isMended ? [say("Thank you")] : [])),
      ),
  },
  {
    what: "a loop that asks nothing",
    rule: "loop-without-input",
    place: /"(Say|Ask)"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Code" }),
          when([["Code", "Equal to", "stop"]], { to: "Thanks", otherwise: "Say" }),
        ),
        group("Say", say("Wrong", { to: isMended ? "Ask" : "Say" })),
        thanks,
      ),
  },
  {
    what: "a list that doubles with every reply",
    rule: "limit-exceeded",
    place: /"Ask"/,
    make: (isMended) =>
      bot(
        { variables: { L: "0123456789".repeat(20) } },
        group(
          "Ask",
          ask.text({ id: "q" }),
          set("L", isMended ? "x" : "{{L}}{{L}}"),
          say("Noted", { to: "Ask" }),
        ),
      ),
  },
  {
    what: "an event for invalid replies that leads nowhere",
    rule: "reply-refused",
    place: /"Ask" › block 1 "email input"/,
    make: (isMended) =>
      bot(
        { events: [onReply(isMended ? "Sorry" : undefined, "invalidReply")] },
        group("Ask", ask.email({ saves: "Mail" }), say("Thank you")),
        ...(isMended ? [group("Sorry", say("An address, please"), goBack())] : []),
      ),
  },
  {
    what: "a time zone that a visitor types",
    rule: "reply-refused",
    place: /"Ask"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Zone" }),
          set("Time", "", { type: "Now", timeZone: isMended ? "Europe/Paris" : "{{Zone}}" }),
          say("It is {{Time}} in {{Zone}}"),
        ),
      ),
  },
  {
    what: "a script that never ends",
    rule: "endless-script",
    place: /"Ask" › block 2 "Code"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Name" }),
          block("Code", {
            content: isMended ? "return 1" : "while (true) {}",
            isExecutedOnClient: false,
          }),
          say("Thank you"),
        ),
      ),
  },
  {
    what: "a request whose failure ends the chat",
    rule: "silent-failure",
    place: /"Send" › block 1 "Webhook"/,
    make: (isMended) =>
      bot(
        group("Ask", ask.email({ saves: "Mail", to: "Send" })),
        group(
          "Send",
          http(mapped("statusCode", "Status")),
          when([["Status", "Equal to", "200"]], { to: "Thanks", ...other(isMended, "Sorry") }),
        ),
        thanks,
        ...(isMended ? [group("Sorry", say("Please try later"))] : []),
      ),
  },
  {
    what: "a model whose failure ends the chat",
    rule: "silent-failure",
    // An empty question is not put to the model.
    also: ["dead-end"],
    place: /"Ask" › block 2 "openai"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Question" }),
          block("openai", {
            credentialsId: "c",
            action: "Create chat completion",
            model: "m",
            messages: [{ role: "user", content: "{{Question}}" }],
            responseMapping: [{ id: "r", item: "Message content", variableId: "vAnswer" }],
          }),
          when([["Answer", "Is set"]], { to: "Told", ...other(isMended, "Sorry") }),
        ),
        group("Told", say("{{Answer}}")),
        ...(isMended ? [group("Sorry", say("Please try later"))] : []),
      ),
  },
  {
    what: "a number whose bounds leave nothing",
    rule: "asked-again",
    place: /"Ask" › block 1 "number input"/,
    make: (isMended) =>
      bot(group("Ask", ask.number({ min: 10, max: isMended ? 20 : 5 }), say("Thank you"))),
  },
  {
    what: "a check that nothing passes",
    rule: "asked-again",
    also: ["unreached-group"],
    place: /"Ask" › block 1 "email input"/,
    make: (isMended) =>
      bot(
        group("Ask", ask.email({ saves: "Mail", to: "Check" })),
        group(
          "Check",
          when([["Mail", "Equal to", isMended ? "ann@example.com" : "Ann@Example.com"]], {
            to: "Thanks",
            otherwise: "Ask",
          }),
        ),
        thanks,
      ),
  },
  {
    what: "a name that one path does not ask for",
    rule: "unset-variable",
    place: /"Thanks" › block 1 "text"/,
    make: (isMended) =>
      bot(
        group(
          "Menu",
          ask.choice([
            { content: "Sign up", to: "Name" },
            { content: "Skip", to: isMended ? "Bye" : "Thanks" },
          ]),
        ),
        group("Name", ask.text({ saves: "Name", to: "Thanks" })),
        group("Thanks", say("Thank you, {{Name}}")),
        ...(isMended ? [group("Bye", say("Bye"))] : []),
      ),
  },
  {
    what: "a name that one of two ways to the same question does not set",
    rule: "unset-variable",
    place: /"Confirm" › block 2 "text"/,
    make: (isMended) =>
      bot(
        group(
          "Menu",
          ask.choice([
            { content: "As Ann", to: "Ann" },
            { content: "Unnamed", to: isMended ? "Nobody" : "Confirm" },
          ]),
        ),
        group("Ann", set("Name", "Ann", { to: "Confirm" })),
        group("Confirm", ask.text(), say("Thank you, {{Name}}")),
        ...(isMended ? [group("Nobody", set("Name", "whoever", { to: "Confirm" }))] : []),
      ),
  },
  {
    what: "a value that is sent before it is asked for",
    rule: "unset-variable",
    place: /"Ask" › block 1 "Webhook"/,
    make: (isMended) => {
      const send = http({
        isCustomBody: true,
        webhook: { url: "https://crm.example", method: "POST", body: "{{Mail}}" },
      })
      const asks = ask.email({ saves: "Mail" })
      return bot(group("Ask", ...(isMended ? [asks, send] : [send, asks]), say("Thank you")))
    },
  },
  {
    what: "choices that all lead the same way",
    rule: "same-way",
    place: /"Menu" › block 1 "choice input"/,
    make: (isMended) =>
      bot(
        group(
          "Menu",
          ask.choice([
            { content: "Yes", to: "Thanks" },
            { content: "No", to: isMended ? "Pity" : "Thanks" },
          ]),
        ),
        thanks,
        ...(isMended ? [group("Pity", say("A pity"))] : []),
      ),
  },
  {
    what: "a condition that decides nothing",
    rule: "same-way",
    place: /"Check" › block 1 "Condition"/,
    make: (isMended) =>
      bot(
        group("Ask", ask.number({ saves: "Age", to: "Check" })),
        group(
          "Check",
          when([["Age", "Less than", "18"]], {
            to: isMended ? "Young" : "Thanks",
            otherwise: "Thanks",
          }),
        ),
        ...(isMended ? [group("Young", say("Too young"))] : []),
        thanks,
      ),
  },
  {
    what: "a group that is not connected",
    rule: "unreached-group",
    place: /Group "Extra"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Name", ...(isMended && { to: "Extra" }) }),
          ...(isMended ? [] : [say("Thank you")]),
        ),
        group("Extra", say("And this")),
      ),
  },
  {
    what: "a condition that looks for what no choice says",
    rule: "never-holds",
    place: /"Check" › block 1 "Condition" › item 1/,
    make: (isMended) =>
      bot(
        group("Plan", ask.choice(["Free", "Pro"], { saves: "Plan", to: "Check" })),
        group(
          "Check",
          when([["Plan", "Equal to", isMended ? "Pro" : "pro"]], {
            to: "Paid",
            otherwise: "Thanks",
          }),
        ),
        group("Paid", say("You pay")),
        thanks,
      ),
  },
  ...plantedValueFaults,
  {
    what: "a way that only a B of a test takes, and that loops",
    rule: "loop-without-input",
    place: /"Round"/,
    make: (isMended) =>
      bot(
        group("Test", {
          type: "AB test",
          options: { aPercent: 90 },
          items: [
            { id: "a", path: "a", to: "Thanks" },
            { id: "b", path: "b", to: "Round" },
          ],
        }),
        thanks,
        group("Round", say("Again", { to: isMended ? "Thanks" : "Round" })),
      ),
  },
  {
    what: "silence after which a variable is missing",
    rule: "unset-variable",
    place: /"Still there" › block 1 "text"/,
    make: (isMended) =>
      bot(
        { events: [onIdle(60, "Still there")] },
        group(
          "Ask",
          ask.text({ saves: "Name" }),
          say("Hi {{Name}}"),
          ask.number({ saves: "Age" }),
          say("Thank you"),
        ),
        group("Still there", say(isMended ? "Still there?" : "Still there at {{Age}}?")),
      ),
  },
  {
    what: "a command that leads to a loop",
    rule: "loop-without-input",
    place: /"Help"/,
    make: (isMended) =>
      bot(
        { events: [onCommand("help", "Help")] },
        group("Ask", ask.text({ saves: "Name" }), say("Thank you")),
        group("Help", say("Help", isMended ? {} : { to: "Help" })),
      ),
  },
]
