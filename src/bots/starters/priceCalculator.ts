/** A bot that computes an offer. */
import { ask, choose, compute, group, type Starter, say, when } from "./starter.ts"

const price = `const rooms = Number({{Rooms}})
const hours = rooms * 1.5 + Number({{Extra hours}})
const discounts = { "every week": 0.2, "every two weeks": 0.1 }
const total = hours * 30 * (1 - (discounts[{{Frequency}}] ?? 0))
return total.toFixed(2)`

export const priceCalculator: Starter = {
  id: "price-calculator",
  name: "Price calculator",
  description: "Computes an offer from size, extras and frequency, and sends it on request.",
  category: "Sales",
  icon: "🧮",
  themeId: "sand",
  variables: ["Rooms", "Extra hours", "Frequency", "Price", "Next", "Email"],
  settings: {
    general: { systemMessages: { invalidMessage: "Please enter a number from 1 to 20." } },
  },
  groups: [
    group("Welcome", [say("Hello! In three questions you know what a clean home costs.")], "Rooms"),
    group(
      "Rooms",
      [
        say("How many rooms do you have?"),
        ask("number", "Rooms", {
          min: 1,
          max: 20,
          labels: { placeholder: "3", button: "Next" },
        }),
        say("Would you like windows or the kitchen done thoroughly, too?"),
        choose("Extra hours", [
          { content: "Windows", value: "2" },
          { content: "Kitchen", value: "1" },
          { content: "Both", value: "3" },
          { content: "Neither", value: "0" },
        ]),
        say("How often should we come?"),
        choose("Frequency", ["once", "every two weeks", "every week"]),
        compute("Price", price),
      ],
      "Offer",
    ),
    group(
      "Offer",
      [
        say("That makes {{Price}} € for each visit, materials included."),
        when({ to: "Discount", all: [["Frequency", "Not equal", "once"]] }),
      ],
      "Next",
    ),
    group("Discount", [say("Your discount for coming {{Frequency}} is included.")], "Next"),
    group("Next", [
      say("What would you like to do?"),
      choose("Next", [
        { content: "Get the offer by e-mail", to: "Email" },
        { content: "Calculate again", to: "Rooms" },
        { content: "Just looking", to: "Goodbye" },
      ]),
    ]),
    group(
      "Email",
      [
        say("Where should we send it?"),
        ask("email", "Email", {
          labels: { placeholder: "you@example.com", button: "Send" },
          retryMessageContent: "That does not look like an e-mail address. Could you check it?",
        }),
        say("Thank you! The offer of {{Price}} € is on its way to {{Email}}."),
      ],
      "Goodbye",
    ),
    group("Goodbye", [say("Have a shiny day!")]),
  ],
}
