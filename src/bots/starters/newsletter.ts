/** A bot that signs readers up. */
import { ask, choose, chooseSeveral, group, type Starter, say } from "./starter.ts"

export const newsletter: Starter = {
  id: "newsletter",
  name: "Newsletter",
  description: "Signs readers up by interest and frequency, and asks for their consent.",
  category: "Marketing",
  icon: "📰",
  themeId: "newspaper",
  variables: ["Topics", "Frequency", "Email", "Consent"],
  groups: [
    group(
      "Welcome",
      [
        say("Good morning! One letter, only what interests you, and no advertisements."),
        say("What would you like to read about?"),
        chooseSeveral("Topics", ["Stories", "How-tos", "Interviews", "New releases"]),
        say("How often?"),
        choose("Frequency", ["every week", "every month"]),
      ],
      "Email",
    ),
    group(
      "Email",
      [
        say("Where should it go?"),
        ask("email", "Email", {
          labels: { placeholder: "you@example.com", button: "Next" },
          retryMessageContent: "That address looks incomplete. Could you check it?",
        }),
      ],
      "Consent",
    ),
    group("Consent", [
      say(
        "May we write to {{Email}} {{Frequency}}, about: {{Topics}}?",
        "Every letter has a link that ends it at once.",
      ),
      choose("Consent", [
        { content: "Yes, sign me up", to: "Subscribed" },
        { content: "Use another address", to: "Email" },
        { content: "No, thanks", to: "Not subscribed" },
      ]),
    ]),
    group("Subscribed", [say("Welcome aboard! Your first letter arrives soon.")]),
    group("Not subscribed", [
      say("That is fine: you will get no letters from us. Enjoy your day!"),
    ]),
  ],
}
