/** A bot that looks orders up by HTTP. */
import { ask, choose, group, type Starter, say, variable, when } from "./starter.ts"

export const orderStatus: Starter = {
  id: "order-status",
  name: "Order status",
  description:
    "Looks up an order at your shop by HTTP. Enter the address of your shop in the group “Ask the shop”; " +
    "until then, people leave their e-mail address.",
  category: "Support",
  icon: "📦",
  themeId: "black-and-white",
  variables: ["Order number", "Email", "Status", "Arrival", "Next"],
  groups: [
    group("Welcome", [say("Hello! Let's see where your parcel is.")], "Order"),
    group(
      "Order",
      [
        say("What is your order number? It is in the confirmation, such as A-1042."),
        ask("text", "Order number", { labels: { placeholder: "A-1042", button: "Next" } }),
        say("And the e-mail address that you ordered with?"),
        ask("email", "Email", { labels: { placeholder: "you@example.com", button: "Look up" } }),
      ],
      "Ask the shop",
    ),
    group(
      "Ask the shop",
      [
        { type: "Set variable", options: { variableId: variable("Status"), type: "Empty" } },
        { type: "Set variable", options: { variableId: variable("Arrival"), type: "Empty" } },
        {
          type: "Webhook",
          options: {
            webhook: {
              method: "GET",
              url: "https://api.your-shop.example/orders",
              queryParams: [
                { id: "number", key: "number", value: "{{Order number}}" },
                { id: "email", key: "email", value: "{{Email}}" },
              ],
            },
            responseVariableMapping: [
              { id: "status", variableId: variable("Status"), bodyPath: "data.status" },
              { id: "arrival", variableId: variable("Arrival"), bodyPath: "data.arrival" },
            ],
            timeout: 10,
          },
        },
        when(
          { to: "Delivered", all: [["Status", "Equal to", "delivered"]] },
          { to: "On its way", all: [["Status", "Equal to", "shipped"]] },
          { to: "In preparation", all: [["Status", "Is set"]] },
        ),
      ],
      "Not found",
    ),
    group("Delivered", [say("Your order {{Order number}} has been delivered. Enjoy!")], "Next"),
    group(
      "On its way",
      [
        say("Good news: your order {{Order number}} is on its way."),
        when({ to: "Arrival", all: [["Arrival", "Is set"]] }),
      ],
      "Next",
    ),
    group("Arrival", [say("It should arrive on {{Arrival}}.")], "Next"),
    group("In preparation", [say("We are packing your order {{Order number}}.")], "Next"),
    group(
      "Not found",
      [
        say(
          "I cannot see that order right now.",
          "A colleague will look it up and write to {{Email}}.",
        ),
      ],
      "Next",
    ),
    group("Next", [
      say("What next?"),
      choose("Next", [
        { content: "Look up another order", to: "Order" },
        { content: "I am done", to: "Goodbye" },
      ]),
    ]),
    group("Goodbye", [say("Thank you for shopping with us!")]),
  ],
}
