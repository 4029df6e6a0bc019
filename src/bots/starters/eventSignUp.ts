/** A bot that registers guests of an event. */
import { ask, choose, chooseSeveral, group, type Starter, say, when } from "./starter.ts"

export const eventSignUp: Starter = {
  id: "event-sign-up",
  name: "Event sign-up",
  description:
    "Registers guests on site or online, with companions and meals, and shows all to check.",
  category: "Booking",
  icon: "🎟️",
  themeId: "sunset-card",
  variables: ["Name", "Email", "Attendance", "Guests", "Meals", "Check"],
  settings: {
    general: {
      systemMessages: { invalidMessage: "You can bring up to five people. How many will it be?" },
    },
  },
  groups: [
    group(
      "Welcome",
      [
        say(
          "You are invited! Our summer evening begins on Friday at 18:00.",
          "Shall I save you a seat?",
        ),
        say("What is your name?"),
        ask("text", "Name", { labels: { placeholder: "Your name", button: "Next" } }),
        say("Lovely, {{Name}}. Where should the ticket go?"),
        ask("email", "Email", {
          labels: { placeholder: "you@example.com", button: "Next" },
          retryMessageContent: "That does not look like an e-mail address. Could you check it?",
        }),
      ],
      "Attendance",
    ),
    group("Attendance", [
      say("Will you be there, or watch online?"),
      choose("Attendance", [
        { content: "I will be there", value: "on site", to: "Guests" },
        { content: "Online", value: "online", to: "Check online" },
      ]),
    ]),
    group(
      "Guests",
      [
        say("How many people come with you? 0 is fine."),
        ask("number", "Guests", {
          max: 5,
          labels: { placeholder: "0", button: "Next" },
        }),
        when({ to: "Guests", all: [["Guests", "Less than", "0"]] }),
        say("Which meals should we prepare?"),
        chooseSeveral("Meals", ["Everything", "Vegetarian", "Vegan", "Gluten-free"]),
      ],
      "Check",
    ),
    group("Check", [
      say(
        "{{Name}}, you come with {{Guests}} others. Meals: {{Meals}}.",
        "The ticket goes to {{Email}}. All right?",
      ),
      choose("Check", [
        { content: "Sign me up", to: "Done" },
        { content: "Change something", to: "Attendance" },
      ]),
    ]),
    group("Check online", [
      say("{{Name}}, you watch online. The link goes to {{Email}}. All right?"),
      choose("Check", [
        { content: "Sign me up", to: "Done" },
        { content: "Change something", to: "Attendance" },
      ]),
    ]),
    group("Done", [say("You are on the list. We look forward to seeing you {{Attendance}}! 🎉")]),
  ],
}
