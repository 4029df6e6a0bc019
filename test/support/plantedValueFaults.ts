/** Small bots with a fault of values, code, links or ids each, and the same bots without it. */
import type { Flow } from "../../src/engine/bot.ts"
import { ask, block, bot, group, link, say, set, when } from "./bots.ts"

/** A bot with a fault, and what exploring says of it. */
export type PlantedFault = {
  what: string
  rule: string
  place: RegExp
  /** Rules that the bot breaks besides, because of it; absent: none. */
  also?: string[]
  /** The bot, with the fault or without it. */
  make(isMended: boolean): Flow
}

const thanks = group("Thanks", say("Thank you"))

/** One bot of each such kind of fault at least. */
export const plantedValueFaults: PlantedFault[] = [
  {
    what: "a condition whose comparisons contradict one another",
    rule: "never-holds",
    place: /"Check" › block 1 "Condition" › item 1/,
    make: (isMended) =>
      bot(
        group("Age", ask.number({ saves: "Age", to: "Check" })),
        group(
          "Check",
          when(
            [
              ["Age", "Greater than", "17"],
              ["Age", "Less than", isMended ? "65" : "16"],
            ],
            { to: "Thanks", otherwise: "No" },
          ),
        ),
        group(
          "No",
          ask.choice([
            { content: "Once more", to: "Age" },
            { content: "Go", to: "Thanks" },
          ]),
        ),
        thanks,
      ),
  },
  {
    what: "a pattern that no text matches",
    rule: "never-holds",
    place: /"Check" › block 1 "Condition" › item 1/,
    make: (isMended) =>
      bot(
        group("Code", ask.text({ saves: "Code", to: "Check" })),
        group(
          "Check",
          when([["Code", "Matches regex", isMended ? "^[A-Z]{3}$" : "$[A-Z]{3}^"]], {
            to: "Thanks",
            otherwise: "No",
          }),
        ),
        group("No", say("No such code", { to: "Thanks" })),
        thanks,
      ),
  },
  {
    what: "a condition that compares with more than the question takes",
    rule: "never-holds",
    place: /"Check" › block 1 "Condition" › item 1/,
    make: (isMended) =>
      bot(
        group("Count", ask.number({ saves: "Count", min: 1, max: isMended ? 20 : 9, to: "Check" })),
        group("Check", when([["Count", "Greater than", "10"]], { to: "Thanks", otherwise: "Few" })),
        group("Few", say("A few", { to: "Thanks" })),
        thanks,
      ),
  },
  {
    what: "an address in capitals, which no question stores",
    rule: "never-holds",
    place: /"Check" › block 1 "Condition" › item 1/,
    make: (isMended) =>
      bot(
        group("Ask", ask.email({ saves: "Mail", to: "Check" })),
        group(
          "Check",
          when([["Mail", "Equal to", isMended ? "ann@example.com" : "Ann@Example.com"]], {
            to: "Thanks",
            otherwise: "Others",
          }),
        ),
        group("Others", say("You are not Ann", { to: "Thanks" })),
        thanks,
      ),
  },
  {
    what: "a missing value that a script prints",
    rule: "says-nothing",
    place: /"Hello" › block 2 "text"/,
    make: (isMended) =>
      bot(
        group(
          "Menu",
          ask.choice([
            { content: "With name", to: "Name" },
            { content: "Without", to: "Hello" },
          ]),
        ),
        group("Name", ask.text({ saves: "Name", to: "Hello" })),
        group(
          "Hello",
          set(
            "Greeting",
            isMended ? "return 'Hello ' + ({{Name}} ?? '')" : "return 'Hello ' + {{Name}}",
            {
              isCode: true,
            },
          ),
          say("{{Greeting}}"),
        ),
      ),
  },
  {
    what: "a missing value that inline code prints",
    rule: "says-nothing",
    place: /"Ask" › block 2 "text"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Name" }),
          say(
            isMended
              ? "Hello {{=String({{Name}} ?? '')=}}"
              : "Hello {{=String(String({{Name}}).size)=}}",
          ),
        ),
      ),
  },
  {
    what: "a script that always throws",
    rule: "failing-script",
    place: /"Ask" › block 2 "Code"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Name" }),
          block("Code", {
            content: isMended ? "return {{Name}}" : "return ({{Name}}).first.letter",
            isExecutedOnClient: false,
          }),
          say("Thank you"),
        ),
      ),
  },
  {
    what: "inline code that always throws",
    rule: "failing-script",
    place: /"Ask" › block 2 "text"/,
    make: (isMended) =>
      bot(
        group(
          "Ask",
          ask.text({ saves: "Name" }),
          say(isMended ? "Hi {{=String({{Name}})[0]=}}" : "Hi {{=capitalise({{Name}})=}}"),
        ),
      ),
  },
  {
    what: "a link to a bot that is not there",
    rule: "unfollowed-link",
    place: /"Ask" › block 2/,
    make: (isMended) =>
      bot(group("Ask", ask.text(), ...(isMended ? [] : [link("gone")]), say("Thank you"))),
  },
  {
    what: "a link to a group that was deleted",
    rule: "unfollowed-link",
    also: ["unreached-group"],
    place: /"Ask" › block 2/,
    make: (isMended) =>
      bot(
        group("Ask", ask.text(), link("current", { groupId: isMended ? "gThanks" : "gone" })),
        thanks,
      ),
  },
  {
    what: "a group that another one with its id hides",
    rule: "hidden-group",
    place: /Group "Prices"/,
    make: (isMended) => {
      const flow = bot(
        group(
          "Menu",
          ask.choice([
            { content: "Prices", to: "Prices" },
            { content: "Hours", to: "Hours" },
            { content: "Nothing", to: "Bye" },
          ]),
        ),
        group("Hours", say("9 to 5")),
        group("Prices", say("A lot")),
        group("Bye", say("Bye")),
      )
      const ids = { [flow.groups[2]?.id ?? ""]: flow.groups[1]?.id ?? "" }
      const renamed = (id: string) => (isMended ? id : (ids[id] ?? id))
      return {
        ...flow,
        groups: flow.groups.map((each) => ({ ...each, id: renamed(each.id) })),
        edges: flow.edges.map((edge) => ({
          ...edge,
          to: { ...edge.to, groupId: renamed(edge.to.groupId) },
        })),
      }
    },
  },
]
