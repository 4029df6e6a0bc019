/** A bot that learns what visitors need and how to reach them. */
import { ask, choose, group, type Starter, say, when } from "./starter.ts"

export const leadForm: Starter = {
  id: "lead-form",
  name: "Lead form",
  description:
    "Learns what visitors need and how to reach them, and offers a call to larger teams.",
  category: "Sales",
  icon: "👋",
  themeId: "ocean",
  variables: ["Name", "Need", "Team size", "Email", "Phone"],
  groups: [
    group(
      "Welcome",
      [
        say(
          "Hi, good to see you!",
          "A few short questions, and the right person gets back to you.",
        ),
        say("What is your name?"),
        ask("text", "Name", { labels: { placeholder: "Your name", button: "Next" } }),
        say("Nice to meet you, {{Name}}. What are you looking for?"),
        choose("Need", ["A new website", "Help with marketing", "Advice", "Something else"]),
      ],
      "Team",
    ),
    group(
      "Team",
      [
        say("How many people work at your company?"),
        choose("Team size", ["Just me", "2 to 10", "11 to 50", "More than 50"]),
        when(
          { to: "Call", all: [["Team size", "Equal to", "11 to 50"]] },
          { to: "Call", all: [["Team size", "Equal to", "More than 50"]] },
        ),
      ],
      "Email",
    ),
    group(
      "Call",
      [
        say("With a team of that size, ten minutes on the phone often save ten e-mails."),
        say("May we call you?"),
        choose("Phone", [{ content: "Yes, please call", to: "Number" }, "I prefer e-mail"]),
      ],
      "Email",
    ),
    group(
      "Number",
      [
        say("Which number reaches you best?"),
        ask("phone number", "Phone", {
          labels: { placeholder: "+44 20 7946 0000", button: "Next" },
          retryMessageContent: "That number looks incomplete. Please add the country code, too.",
        }),
      ],
      "Email",
    ),
    group(
      "Email",
      [
        say("And where may we write to?"),
        ask("email", "Email", {
          labels: { placeholder: "you@company.com", button: "Send" },
          retryMessageContent: "That does not look like an e-mail address. Could you check it?",
        }),
      ],
      "Thanks",
    ),
    group("Thanks", [
      say("Thank you, {{Name}}! We will be in touch within one working day.", "Have a lovely day."),
    ]),
  ],
}
