/** A bot that walks new customers through their first steps. */
import { ask, choose, group, type Starter, say, when } from "./starter.ts"

/** A step that people tick off, or skip. */
const step = (title: string, text: string, next: string) =>
  group(
    title,
    [
      say(text),
      choose("Step", [{ content: "Done, what next?" }, { content: "I will do it later" }]),
    ],
    next,
  )

export const onboarding: Starter = {
  id: "onboarding",
  name: "Onboarding",
  description:
    "Welcomes new customers, asks for their goal, and walks them through three first steps.",
  category: "Learning",
  icon: "🧭",
  themeId: "lavender-card",
  variables: ["Name", "Goal", "Step", "Question", "Ease"],
  settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } },
  groups: [
    group("Welcome", [
      say("Welcome! I am here for your first five minutes."),
      say("What may I call you?"),
      ask("text", "Name", { labels: { placeholder: "Your name", button: "Next" } }),
      say("Hi {{Name}}! What do you want to get done first?"),
      choose("Goal", [
        { content: "Set up my account", to: "Profile" },
        { content: "Invite my team", to: "Team" },
        { content: "Just look around", to: "Tour" },
      ]),
    ]),
    step(
      "Profile",
      "Open “Settings” at the top right and add a picture and your time zone, so that others know you.",
      "Team",
    ),
    step(
      "Team",
      "Under “Members”, enter the addresses of your colleagues. Each gets an invitation.",
      "Tour",
    ),
    step(
      "Tour",
      "The home page has an example project. Change anything you like: you can always undo it.",
      "Feedback",
    ),
    group(
      "Feedback",
      [
        say("That was it, {{Name}}! How easy was it?"),
        ask("rating", "Ease", {
          length: 5,
          startsAt: 1,
          labels: { left: "Hard", right: "Very easy" },
          isOneClickSubmitEnabled: true,
        }),
        when({ to: "Finished", all: [["Ease", "Greater or equal to", "4"]] }),
      ],
      "Question",
    ),
    group(
      "Question",
      [
        say("What is still unclear? I will pass it on to our team."),
        ask("text", "Question", { labels: { placeholder: "Your question", button: "Send" } }),
      ],
      "Finished",
    ),
    group("Finished", [say("Thank you, {{Name}}. Enjoy, and come back whenever you need a hint!")]),
  ],
}
