/** Small bots, each with one fault of a kind, and the same bots without it. */
import type { Flow } from "../../src/engine/bot.ts"
import * as bots from "./bots.ts"
import {
  ask,
  block,
  bot,
  goBack,
  group,
  jump,
  link,
  onCommand,
  onIdle,
  onReply,
  say,
  set,
} from "./bots.ts"

/** A bot with a fault, and what exploring says of it. */
export type PlantedFault = {
  what: string
  rule: string
  place: RegExp
  /** Rules that the bot breaks besides, because of it. */
  also: string[]
  /** The bot, with the fault or without it. */
  make(isMended: boolean): Flow
}

const thanks = group("Thanks", say("Thank you"))
const asksName = ask.text({ saves: "Name" })
const crm = { url: "https://crm.example" }
const code = (content: string) => block("Code", { content, isExecutedOnClient: false })

/** Choices by their labels, each with the group that it leads to. */
const choice = (groups: Record<string, string | undefined>) =>
  ask.choice(Object.entries(groups).map(([content, to]) => ({ content, ...(to && { to }) })))

/** A condition that leads to one group where it holds, and to another where it does not. */
const when = (comparisons: string[][], to: string, otherwise: string | false) =>
  bots.when(comparisons as [string, string, string][], { to, ...(otherwise && { otherwise }) })

type Drawn = (bots.BotParts | bots.DraftGroup | false)[]

function fault(what: string, place: RegExp, draw: (isMended: boolean) => Drawn) {
  const make = (isMended: boolean) => {
    const [first = thanks, ...rest] = draw(isMended).filter((each) => each !== false)
    return bot(first, ...(rest as bots.DraftGroup[]))
  }
  return { what, place, make }
}

/** By the rule that a bot breaks, and those that it breaks besides. */
const byRules: Record<string, Omit<PlantedFault, "rule" | "also">[]> = {
  "dead-end unreached-group": [
    fault("a choice without an edge", /"Menu" › block 2 "choice input" › item 2/, (isMended) => [
      group("Menu", say("Which?"), choice({ Buy: "Thanks", Ask: isMended ? "Help" : undefined })),
      thanks,
      group("Help", say("We call you")),
    ]),
    fault("a jump to a group that was deleted", /"Ask" › block 2 "Jump"/, (isMended) => [
      group("Ask", asksName, jump(isMended ? "Thanks" : "Gone")),
      thanks,
    ]),
  ],
  "dead-end": [
    fault("a condition without else", /"Check" › block 1 "Condition"/, (isMended) => [
      group("Age", ask.number({ saves: "Age", to: "Check" })),
      group("Check", when([["Age", "Greater than", "17"]], "Thanks", isMended && "No")),
      thanks,
      isMended && group("No", say("Too young")),
    ]),
    fault("an edge to a group that was deleted", /"Ask" › block 2 "text"/, (isMended) => [
      group("Ask", ask.text(), say("On", { to: isMended ? "Thanks" : "Gone" })),
      isMended && thanks,
    ]),
    fault("an empty group", /"Ask" › block 1 "text input"/, (isMended) => [
      group("Ask", ask.text({ to: "Next" })),
      group("Next", ...(isMended ? [say("Thank you")] : [])),
    ]),
  ],
  "loop-without-input": [
    fault("a loop that asks nothing", /"(Say|Ask)"/, (isMended) => [
      group(
        "Ask",
        ask.text({ saves: "Code" }),
        when([["Code", "Equal to", "stop"]], "Thanks", "Say"),
      ),
      group("Say", say("Wrong", { to: isMended ? "Ask" : "Say" })),
      thanks,
    ]),
    fault("a way that only a B of a test takes, and that loops", /"Round"/, (isMended) => [
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
    ]),
    fault("a command that leads to a loop", /"Help"/, (isMended) => [
      { events: [onCommand("help", "Help")] },
      group("Ask", asksName, say("Thank you")),
      group("Help", say("Help", isMended ? {} : { to: "Help" })),
    ]),
  ],
  "limit-exceeded": [
    fault("a list that doubles with every reply", /"Ask"/, (isMended) => [
      { variables: { L: "0123456789".repeat(20) } },
      group(
        "Ask",
        ask.text({ id: "q" }),
        set("L", isMended ? "x" : "{{L}}{{L}}"),
        say("Noted", { to: "Ask" }),
      ),
    ]),
  ],
  "reply-refused": [
    fault(
      "an event for invalid replies that leads nowhere",
      /"Ask" › block 1 "email input"/,
      (isMended) => [
        { events: [onReply(isMended ? "Sorry" : undefined, "invalidReply")] },
        group("Ask", ask.email({ saves: "Mail" }), say("Thank you")),
        isMended && group("Sorry", say("An address, please"), goBack()),
      ],
    ),
    fault("a time zone that a visitor types", /"Ask"/, (isMended) => [
      group(
        "Ask",
        ask.text({ saves: "Zone" }),
        set("Time", "", { type: "Now", timeZone: isMended ? "Europe/Paris" : "{{Zone}}" }),
        say("It is {{Time}} in {{Zone}}"),
      ),
    ]),
  ],
  "endless-script": [
    fault("a script that never ends", /"Ask" › block 2 "Code"/, (isMended) => [
      group("Ask", asksName, code(isMended ? "return 1" : "while (true) {}"), say("Thank you")),
    ]),
  ],
  "silent-failure": [
    fault("a request whose failure ends the chat", /"Send" › block 1 "Webhook"/, (isMended) => [
      group("Ask", ask.email({ saves: "Mail", to: "Send" })),
      group(
        "Send",
        block("Webhook", {
          webhook: crm,
          responseVariableMapping: [{ id: "m", bodyPath: "statusCode", variableId: "vStatus" }],
        }),
        when([["Status", "Equal to", "200"]], "Thanks", isMended && "Sorry"),
      ),
      thanks,
      isMended && group("Sorry", say("Please try later")),
    ]),
  ],
  "silent-failure dead-end": [
    // An empty question is not put to the model.
    fault("a model whose failure ends the chat", /"Ask" › block 2 "openai"/, (isMended) => [
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
        when([["Answer", "Is set"]], "Told", isMended && "Sorry"),
      ),
      group("Told", say("{{Answer}}")),
      isMended && group("Sorry", say("Please try later")),
    ]),
  ],
  "asked-again": [
    fault("a number whose bounds leave nothing", /"Ask" › block 1 "number input"/, (isMended) => [
      group("Ask", ask.number({ min: 10, max: isMended ? 20 : 5 }), say("Thank you")),
    ]),
  ],
  "asked-again unreached-group": [
    fault("a check that nothing passes", /"Ask" › block 1 "email input"/, (isMended) => [
      group("Ask", ask.email({ saves: "Mail", to: "Check" })),
      group(
        "Check",
        when(
          [["Mail", "Equal to", isMended ? "ann@example.com" : "Ann@Example.com"]],
          "Thanks",
          "Ask",
        ),
      ),
      thanks,
    ]),
  ],
  "unset-variable": [
    fault("a name that one path does not ask for", /"Thanks" › block 1 "text"/, (isMended) => [
      group("Menu", choice({ "Sign up": "Name", Skip: isMended ? "Bye" : "Thanks" })),
      group("Name", ask.text({ saves: "Name", to: "Thanks" })),
      group("Thanks", say("Thank you, {{Name}}")),
      isMended && group("Bye", say("Bye")),
    ]),
    fault(
      "a name that one of two ways to the same question does not set",
      /"Confirm" › block 2 "text"/,
      (isMended) => [
        group("Menu", choice({ "As Ann": "Ann", Unnamed: isMended ? "Guest" : "Confirm" })),
        group("Ann", set("Name", "Ann", { to: "Confirm" })),
        group("Confirm", ask.text(), say("Thank you, {{Name}}")),
        isMended && group("Guest", set("Name", "guest", { to: "Confirm" })),
      ],
    ),
    fault(
      "a value that is sent before it is asked for",
      /"Ask" › block 1 "Webhook"/,
      (isMended) => {
        const webhook = { ...crm, method: "POST", body: "{{Mail}}" }
        const blocks = [
          ask.email({ saves: "Mail" }),
          block("Webhook", { isCustomBody: true, webhook }),
        ]
        return [group("Ask", ...(isMended ? blocks : blocks.reverse()), say("Thank you"))]
      },
    ),
    fault(
      "silence after which a variable is missing",
      /"Still there" › block 1 "text"/,
      (isMended) => [
        { events: [onIdle(60, "Still there")] },
        group("Ask", asksName, say("Hi {{Name}}"), ask.number({ saves: "Age" }), say("Thank you")),
        group("Still there", say(isMended ? "Still there?" : "Still there at {{Age}}?")),
      ],
    ),
  ],
  "same-way": [
    fault("choices that all lead the same way", /"Menu" › block 1 "choice input"/, (isMended) => [
      group("Menu", choice({ Yes: "Thanks", No: isMended ? "Pity" : "Thanks" })),
      thanks,
      isMended && group("Pity", say("A pity")),
    ]),
    fault("a condition that decides nothing", /"Check" › block 1 "Condition"/, (isMended) => [
      group("Ask", ask.number({ saves: "Age", to: "Check" })),
      group("Check", when([["Age", "Less than", "18"]], isMended ? "Young" : "Thanks", "Thanks")),
      isMended && group("Young", say("Too young")),
      thanks,
    ]),
  ],
  "unreached-group": [
    fault("a group that is not connected", /Group "Extra"/, (isMended) => [
      group(
        "Ask",
        ...(isMended ? [ask.text({ saves: "Name", to: "Extra" })] : [asksName, say("Thank you")]),
      ),
      group("Extra", say("And this")),
    ]),
  ],
  "never-holds": [
    fault(
      "a condition that looks for what no choice says",
      /"Check" › block 1 "Condition" › item 1/,
      (isMended) => [
        group("Plan", ask.choice(["Free", "Pro"], { saves: "Plan", to: "Check" })),
        group("Check", when([["Plan", "Equal to", isMended ? "Pro" : "pro"]], "Paid", "Thanks")),
        group("Paid", say("You pay")),
        thanks,
      ],
    ),
    fault(
      "a condition whose comparisons contradict one another",
      /"Check" › block 1 "Condition" › item 1/,
      (isMended) => {
        const bounds = [
          ["Age", "Greater than", "17"],
          ["Age", "Less than", isMended ? "65" : "16"],
        ]
        return [
          group("Age", ask.number({ saves: "Age", to: "Check" })),
          group("Check", when(bounds, "Thanks", "No")),
          group("No", choice({ "Once more": "Age", Go: "Thanks" })),
          thanks,
        ]
      },
    ),
    fault(
      "a pattern that no text matches",
      /"Check" › block 1 "Condition" › item 1/,
      (isMended) => [
        group("Code", ask.text({ saves: "Code", to: "Check" })),
        group(
          "Check",
          when([["Code", "Matches regex", isMended ? "^[A-Z]{3}$" : "$[A-Z]{3}^"]], "Thanks", "No"),
        ),
        group("No", say("No such code", { to: "Thanks" })),
        thanks,
      ],
    ),
    fault(
      "a condition that compares with more than the question takes",
      /"Check" › block 1 "Condition" › item 1/,
      (isMended) => [
        group("Count", ask.number({ saves: "Count", min: 1, max: isMended ? 20 : 9, to: "Check" })),
        group("Check", when([["Count", "Greater than", "10"]], "Thanks", "Few")),
        group("Few", say("A few", { to: "Thanks" })),
        thanks,
      ],
    ),
    fault(
      "an address in capitals, which no question stores",
      /"Check" › block 1 "Condition" › item 1/,
      (isMended) => [
        group("Ask", ask.email({ saves: "Mail", to: "Check" })),
        group(
          "Check",
          when(
            [["Mail", "Equal to", isMended ? "ann@example.com" : "Ann@Example.com"]],
            "Thanks",
            "Others",
          ),
        ),
        group("Others", say("You are not Ann", { to: "Thanks" })),
        thanks,
      ],
    ),
  ],
  "says-nothing": [
    fault("a missing value that a script prints", /"Hello" › block 2 "text"/, (isMended) => [
      group("Menu", choice({ "With name": "Name", Without: "Hello" })),
      group("Name", ask.text({ saves: "Name", to: "Hello" })),
      group(
        "Hello",
        set("Greeting", `return 'Hello ' + ${isMended ? "({{Name}} ?? '')" : "{{Name}}"}`, {
          isCode: true,
        }),
        say("{{Greeting}}"),
      ),
    ]),
    fault("a missing value that inline code prints", /"Ask" › block 2 "text"/, (isMended) => {
      const missing = isMended ? "{{Name}} ?? ''" : "String({{Name}}).size"
      return [group("Ask", asksName, say(`Hello {{=String(${missing})=}}`))]
    }),
  ],
  "failing-script": [
    fault("a script that always throws", /"Ask" › block 2 "Code"/, (isMended) => [
      group(
        "Ask",
        asksName,
        code(isMended ? "return {{Name}}" : "return ({{Name}}).first.letter"),
        say("Thank you"),
      ),
    ]),
    fault("inline code that always throws", /"Ask" › block 2 "text"/, (isMended) => [
      group(
        "Ask",
        asksName,
        say(isMended ? "Hi {{=String({{Name}})[0]=}}" : "Hi {{=capitalise({{Name}})=}}"),
      ),
    ]),
  ],
  "unfollowed-link": [
    fault("a link to a bot that is not there", /"Ask" › block 2/, (isMended) => [
      group("Ask", ask.text(), ...(isMended ? [] : [link("gone")]), say("Thank you")),
    ]),
  ],
  "unfollowed-link unreached-group": [
    fault("a link to a group that was deleted", /"Ask" › block 2/, (isMended) => [
      group("Ask", ask.text(), link("current", { groupId: isMended ? "gThanks" : "gone" })),
      thanks,
    ]),
  ],
  "hidden-group": [
    {
      what: "a group that another one with its id hides",
      place: /Group "Prices"/,
      make(isMended) {
        const flow = bot(
          group("Menu", choice({ Prices: "Prices", Hours: "Hours", Nothing: "Bye" })),
          group("Hours", say("9 to 5")),
          group("Prices", say("A lot")),
          group("Bye", say("Bye")),
        )
        const hidden = JSON.stringify(flow).replaceAll('"gPrices"', '"gHours"')
        return isMended ? flow : JSON.parse(hidden)
      },
    },
  ],
}

/** One bot of each kind of fault at least. */
export const plantedFaults: PlantedFault[] = Object.entries(byRules).flatMap(([rules, faults]) => {
  const [rule = "", ...also] = rules.split(" ")
  return faults.map((each) => ({ ...each, rule, also }))
})
