/** A bot that asks for stars and what is behind them. */
import { ask, choose, chooseSeveral, group, type Starter, say, when } from "./starter.ts"

export const feedback: Starter = {
  id: "feedback",
  name: "Feedback with rating",
  description:
    "Asks for one to five stars, thanks happy guests, and finds out what went wrong for others.",
  category: "Feedback",
  icon: "⭐",
  themeId: "rose",
  variables: ["Stars", "Liked", "Problems", "Comment", "Contact", "Email"],
  groups: [
    group(
      "Welcome",
      [
        say("Thank you for your visit!", "How did you like it?"),
        ask("rating", "Stars", {
          buttonType: "Icons",
          length: 5,
          startsAt: 1,
          labels: { left: "Not at all", right: "Loved it" },
          isOneClickSubmitEnabled: true,
        }),
        when({ to: "Happy", all: [["Stars", "Greater or equal to", "4"]] }),
      ],
      "Unhappy",
    ),
    group(
      "Happy",
      [
        say("That makes our day! What did you like best?"),
        chooseSeveral("Liked", ["The people", "The food", "The place", "The price"]),
        say("Would you like to add a word for the team?"),
        ask("text", "Comment", { labels: { placeholder: "Your words", button: "Send" } }),
      ],
      "Thanks",
    ),
    group("Unhappy", [
      say("We are sorry to hear that. What should have been better?"),
      chooseSeveral("Problems", [
        "The people",
        "The food",
        "The place",
        "The waiting",
        "The price",
      ]),
      say("What happened?"),
      ask("text", "Comment", {
        isLong: true,
        labels: { placeholder: "What happened?", button: "Next" },
      }),
      say("May we write to you to make it right?"),
      choose("Contact", [
        { content: "Yes, please", to: "Email" },
        { content: "No, thanks", to: "Thanks" },
      ]),
    ]),
    group(
      "Email",
      [
        say("Where may we write to?"),
        ask("email", "Email", { labels: { placeholder: "you@example.com", button: "Send" } }),
        say("Thank you. You will hear from us soon."),
      ],
      "Thanks",
    ),
    group("Thanks", [say("Thank you for your feedback. We hope to see you again!")]),
  ],
}
