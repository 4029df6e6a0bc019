/** A bot that finds a time for a visit. */
import { ask, choose, group, type Starter, say, variable } from "./starter.ts"

export const appointment: Starter = {
  id: "appointment",
  name: "Appointment",
  description:
    "Finds a day and a time for a visit, and lets people check and change what they asked for.",
  category: "Booking",
  icon: "📅",
  themeId: "forest",
  variables: ["Service", "Today", "Day", "Time", "Name", "Email", "Check"],
  settings: {
    general: { systemMessages: { invalidMessage: "Please choose a day from today on." } },
  },
  groups: [
    group(
      "Welcome",
      [
        say("Welcome! I will find a time for your visit.", "What can we do for you?"),
        choose("Service", ["First consultation", "Check-up", "Follow-up"]),
        { type: "Set variable", options: { variableId: variable("Today"), type: "Today" } },
      ],
      "When",
    ),
    group(
      "When",
      [
        say("Which day suits you?"),
        ask("date", "Day", {
          format: "d MMMM yyyy",
          min: "{{Today}}",
          labels: { button: "Choose" },
        }),
        say("And at what time? We are here from 9:00 to 17:00."),
        choose("Time", ["9:00", "11:00", "14:00", "16:00"]),
      ],
      "Contact",
    ),
    group(
      "Contact",
      [
        say("Under which name may we note it?"),
        ask("text", "Name", { labels: { placeholder: "Your name", button: "Next" } }),
        say("Thank you, {{Name}}. Where should the confirmation go?"),
        ask("email", "Email", {
          labels: { placeholder: "you@example.com", button: "Next" },
          retryMessageContent: "That does not look like an e-mail address. Could you check it?",
        }),
      ],
      "Check",
    ),
    group("Check", [
      say(
        "Let me sum up: {{Service}} on {{Day}} at {{Time}}, for {{Name}}.",
        "The confirmation goes to {{Email}}. Is that right?",
      ),
      choose("Check", [
        { content: "Yes, book it", to: "Booked" },
        { content: "Another time", to: "When" },
        { content: "Other contact details", to: "Contact" },
      ]),
    ]),
    group("Booked", [
      say("We have your request and confirm it by e-mail.", "See you on {{Day}}, {{Name}}!"),
    ]),
  ],
}
