/** Bots that are as their authors meant them, although they look like some that are not. */
import type { Flow } from "../../src/engine/bot.ts"
import {
  ask,
  block,
  bot,
  goBack,
  group,
  idOf,
  jump,
  link,
  onCommand,
  onIdle,
  say,
  set,
  when,
} from "./bots.ts"

const thanks = group("Thanks", say("Thank you"))
const mapped = (path: string, name: string) => ({
  webhook: { url: "https://crm.example" },
  responseVariableMapping: [{ id: "m", bodyPath: path, variableId: idOf(name) }],
})

/** Each with what makes it look suspicious. */
export const soundBots: readonly [what: string, flow: Flow, linked?: Record<string, Flow>][] = [
  [
    "talks with a model for ever",
    bot(
      group(
        "Talk",
        ask.text({ saves: "Question" }),
        block("openai", {
          credentialsId: "c",
          action: "Create chat completion",
          model: "m",
          messages: [{ role: "user", content: "{{Question}}" }],
          responseMapping: [{ id: "r", item: "Message content", variableId: idOf("Answer") }],
        }),
        say("{{Answer}}", { to: "Talk" }),
      ),
    ),
  ],
  [
    "has a menu that always comes back",
    bot(
      group(
        "Menu",
        ask.choice([
          { content: "Hours", to: "Hours" },
          { content: "Place", to: "Place" },
        ]),
      ),
      group("Hours", say("9 to 5", { to: "Menu" })),
      group("Place", say("Main street", { to: "Menu" })),
    ),
  ],
  [
    "gives up after three wrong answers",
    bot(
      { variables: { Tries: "0" } },
      group(
        "Ask",
        ask.text({ saves: "Code" }),
        set("Tries", "{{Tries}} + 1"),
        when([["Code", "Equal to", "1234"]], { to: "Thanks", otherwise: "Wrong" }),
      ),
      group(
        "Wrong",
        when([["Tries", "Greater or equal to", "3"]], { to: "Locked", otherwise: "Again" }),
      ),
      group("Again", say("Wrong, once more", { to: "Ask" })),
      group("Locked", say("Too many tries")),
      thanks,
    ),
  ],
  [
    "checks a postcode with a pattern",
    bot(
      group(
        "Ask",
        ask.text({ saves: "Postcode" }),
        when([["Postcode", "Matches regex", "^[A-Z]{2}\\d{3,5}(-x|-y)?$"]], {
          to: "Thanks",
          otherwise: "Wrong",
        }),
      ),
      group("Wrong", say("No postcode", { to: "Ask" })),
      thanks,
    ),
  ],
  [
    "ends with a question",
    bot(group("Ask", say("How was it?"), ask.rating({ saves: "Stars", length: 5 }))),
  ],
  [
    "says more to some after its last words",
    bot(
      group(
        "Ask",
        ask.number({ saves: "Age" }),
        say("Thank you"),
        when([["Age", "Greater than", "64"]], { to: "Old" }),
      ),
      group("Old", say("There is a discount for you")),
    ),
  ],
  [
    "sends what it was told when all is said",
    bot(
      group(
        "Ask",
        ask.email({ saves: "Mail" }),
        say("Thank you"),
        block("Webhook", mapped("data.id", "Id")),
      ),
    ),
  ],
  [
    "is started with variables",
    bot(
      group(
        "Hi",
        say("Hi {{First name}}"),
        when([["Plan", "Equal to", "pro"]], { to: "Pro", otherwise: "Free" }),
      ),
      group("Pro", say("You have it all")),
      group("Free", say("There is more")),
    ),
  ],
  [
    "prints what only some were asked, where it is set",
    bot(
      group(
        "Ask",
        ask.choice([
          { content: "With name", to: "Name" },
          { content: "Without", to: "Bye" },
        ]),
      ),
      group("Name", ask.text({ saves: "Name", to: "Bye" })),
      group("Bye", when([["Name", "Is set"]], { to: "By name", otherwise: "Thanks" })),
      group("By name", say("Bye {{Name}}")),
      thanks,
    ),
  ],
  [
    "asks what all lead on from alike, and keeps it",
    bot(
      group(
        "Ask",
        ask.choice(
          [
            { content: "Red", to: "Thanks" },
            { content: "Blue", to: "Thanks" },
          ],
          { saves: "Colour" },
        ),
      ),
      thanks,
    ),
  ],
  [
    "looks for two words in one answer",
    bot(
      group(
        "Ask",
        ask.text({ saves: "Wish" }),
        when(
          [
            ["Wish", "Contains", "red"],
            ["Wish", "Contains", "car"],
          ],
          { to: "Cars", otherwise: "Thanks" },
        ),
      ),
      group("Cars", say("We have that")),
      thanks,
    ),
  ],
  [
    "offers what another system lists",
    bot(
      group(
        "Ask",
        block("Webhook", mapped("data.items", "Items")),
        ask.choice([], { dynamicVariableId: idOf("Items"), saves: "Item" }),
        say("You chose {{Item}}"),
      ),
    ),
  ],
  [
    "goes on with what another system decides",
    bot(
      group(
        "Ask",
        ask.email({ saves: "Mail" }),
        block("Webhook", mapped("data.user.plan", "Plan")),
        when([["Plan", "Equal to", "gold"]], { to: "Gold", otherwise: "Thanks" }),
      ),
      group("Gold", say("Welcome back")),
      thanks,
    ),
  ],
  [
    "is interrupted by commands and silence",
    bot(
      { events: [onCommand("help", "Help", { resumeAfter: true }), onIdle(60, "Still there")] },
      group(
        "Ask",
        ask.text({ saves: "Name" }),
        ask.number({ saves: "Age", min: 1, max: 120 }),
        say("Thank you {{Name}}"),
      ),
      group("Help", say("Just answer")),
      group("Still there", say("Still there?")),
    ),
  ],
  [
    "leaves it to another bot to ask",
    bot(
      group(
        "Ask",
        ask.choice([
          { content: "Long", to: "Long" },
          { content: "Short", to: "Short" },
        ]),
      ),
      group("Long", link("other"), say("Hi {{Name}}")),
      group("Short", ask.text({ saves: "Name" }), say("Hi {{Name}}")),
    ),
    { other: bot(group("Ask", ask.text({ saves: "Name" }), ask.number({ saves: "Age" }))) },
  ],
  [
    "prints null and undefined where people say so, or the author does",
    bot(
      group(
        "Ask",
        ask.text({ saves: "Surname" }),
        say("Thank you, {{Surname}}. There is no plan, and null is a number here"),
      ),
    ),
  ],
  [
    "prints what code makes of the answer of another system, whatever that is",
    bot(
      group(
        "Ask",
        ask.text(),
        block("Webhook", mapped("data.items.filter((item) => item.isNew)[0]", "Item")),
        set("Line", "return 'First: ' + {{Item}}", { isCode: true }),
        set("Name", "return {{Item}}.name.first", { isCode: true }),
        say("{{Line}} {{Name}}"),
      ),
    ),
  ],
  [
    "has code that fails for some replies",
    bot(
      group(
        "Ask",
        ask.text({ saves: "Json" }),
        set("Name", "return JSON.parse(String({{Json}})).name", { isCode: true }),
        when([["Json", "Equal to", '{"name":"Ann"}']], { to: "Json", otherwise: "Text" }),
      ),
      group("Json", say("Hi {{Name}}")),
      group("Text", say("That is no JSON")),
    ),
  ],
  [
    "has conditions on dates, phone numbers and the length of words",
    bot(
      group(
        "Ask",
        ask.date({ saves: "Day" }),
        ask.phone({ saves: "Phone" }),
        ask.text({ saves: "Word" }),
        when([["Day", "Greater than", "2031-05-04"]], { to: "Late", otherwise: "Next" }),
      ),
      group("Late", say("That is late", { to: "Next" })),
      group("Next", when([["Phone", "Starts with", "+81"]], { to: "Japan", otherwise: "Last" })),
      group("Japan", say("Konnichiwa", { to: "Last" })),
      group(
        "Last",
        when([["Word", "Greater than", "no number"]], { to: "Long", otherwise: "Thanks" }),
      ),
      group("Long", say("What a word", { to: "Thanks" })),
      thanks,
    ),
  ],
  [
    "combines what three questions were answered",
    bot(
      group("One", ask.choice(["a", "b", "c"], { saves: "First", to: "Two" })),
      group("Two", ask.choice(["a", "b", "c"], { saves: "Second", to: "Three" })),
      group("Three", ask.choice(["a", "b", "c"], { saves: "Third", to: "Check" })),
      group(
        "Check",
        when(
          [
            ["First", "Equal to", "b"],
            ["Second", "Equal to", "a"],
            ["Third", "Equal to", "b"],
          ],
          { to: "Won", otherwise: "Thanks" },
        ),
      ),
      group("Won", say("You won", { to: "Thanks" })),
      thanks,
    ),
  ],
  [
    "jumps and comes back",
    bot(
      group("Ask", ask.text({ saves: "Name" }), jump("Terms"), say("Thank you {{Name}}")),
      group("Terms", say("These are the terms"), goBack()),
    ),
  ],
]
