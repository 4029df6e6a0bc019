/** A bot that asks customers about a product. */
import { ask, choose, chooseSeveral, group, type Starter, say, when } from "./starter.ts"

export const survey: Starter = {
  id: "survey",
  name: "Customer survey",
  description: "Six questions about your product, with a follow-up that fits the score.",
  category: "Feedback",
  icon: "📋",
  themeId: "light-or-dark",
  variables: ["Consent", "Found by", "Uses", "Score", "Reason", "Wish"],
  settings: {
    general: { systemMessages: { invalidMessage: "Please choose one of the answers." } },
  },
  groups: [
    group("Welcome", [
      say(
        "Hello! We would love to know how we are doing.",
        "It takes two minutes and is anonymous.",
      ),
      choose("Consent", [
        { content: "Let's start", to: "Background" },
        { content: "Not now", to: "Another time" },
      ]),
    ]),
    group("Another time", [say("No problem at all. Come back whenever you like!")]),
    group(
      "Background",
      [
        say("How did you first hear about us?"),
        choose("Found by", [
          "A friend",
          "A search",
          "Social media",
          "An advertisement",
          "Elsewhere",
        ]),
        say("What do you use us for? Choose all that fit."),
        chooseSeveral("Uses", ["At work", "For a hobby", "For school", "For my family"]),
      ],
      "Score",
    ),
    group(
      "Score",
      [
        say("How likely are you to recommend us to a friend?"),
        ask("rating", "Score", {
          length: 10,
          startsAt: 0,
          labels: { left: "Not at all", right: "Certainly" },
          isOneClickSubmitEnabled: true,
        }),
        when(
          { to: "Promoter", all: [["Score", "Greater or equal to", "9"]] },
          { to: "Passive", all: [["Score", "Greater or equal to", "7"]] },
        ),
      ],
      "Detractor",
    ),
    group("Promoter", [say("Wow, thank you! What do you like most?")], "Reason"),
    group("Passive", [say("Thank you! What would make it a ten?")], "Reason"),
    group("Detractor", [say("Thank you for being frank. What went wrong?")], "Reason"),
    group(
      "Reason",
      [
        ask("text", "Reason", {
          isLong: true,
          labels: { placeholder: "Tell us more", button: "Next" },
        }),
        say("Last question: which one thing should we build next?"),
        ask("text", "Wish", { labels: { placeholder: "One wish", button: "Send" } }),
      ],
      "Thanks",
    ),
    group("Thanks", [say("That helps us a lot. Thank you for your time!")]),
  ],
}
