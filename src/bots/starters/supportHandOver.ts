/** A bot that tries remedies, then hands over to the team. */
import { ask, choose, group, type Starter, say } from "./starter.ts"

const help = (title: string, ...steps: string[]) => group(title, [say(...steps)], "Did it help")

export const supportHandOver: Starter = {
  id: "support-hand-over",
  name: "Support with hand-over",
  description:
    "Tries the usual remedies first, then collects what your team needs to answer in the same chat.",
  category: "Support",
  icon: "🛟",
  themeId: "night",
  variables: ["Problem", "Helped", "Details", "Urgency", "Name", "Email", "Message"],
  groups: [
    group("Welcome", [
      say("Hi, sorry that something is not working. Let's fix it together.", "What is it about?"),
      choose("Problem", [
        { content: "I cannot sign in", to: "Signing in" },
        { content: "A payment failed", to: "Payment" },
        { content: "The app is slow", to: "Slow app" },
        { content: "Something else", to: "Details" },
      ]),
    ]),
    help(
      "Signing in",
      "Please open the sign-in page in a new private window and choose “Forgot password”.",
      "The e-mail arrives within two minutes; it may be in your spam folder.",
    ),
    help(
      "Payment",
      "Most failed payments need a confirmation in your bank's app.",
      "Please look there, and then try the payment once more.",
    ),
    help(
      "Slow app",
      "Please close the app completely and open it again.",
      "If it stays slow, an update from the app store usually helps.",
    ),
    group("Did it help", [
      say("Did that solve it?"),
      choose("Helped", [
        { content: "Yes, it works", to: "Solved" },
        { content: "No, I need a person", to: "Details" },
      ]),
    ]),
    group("Solved", [say("Wonderful! Have a good day.")]),
    group(
      "Details",
      [
        say("I will bring in a colleague. What happened, and what did you expect?"),
        ask("text", "Details", {
          isLong: true,
          labels: { placeholder: "What happened?", button: "Next" },
        }),
        say("How urgent is it?"),
        choose("Urgency", ["I cannot work at all", "It is annoying", "Whenever you have time"]),
        say("What is your name?"),
        ask("text", "Name", { labels: { placeholder: "Your name", button: "Next" } }),
        say("And your e-mail address, in case we lose each other?"),
        ask("email", "Email", { labels: { placeholder: "you@example.com", button: "Next" } }),
      ],
      "Waiting for the team",
    ),
    group(
      "Waiting for the team",
      [
        say(
          "Thank you, {{Name}}. My colleagues have everything now and answer here, or at {{Email}}.",
          "You can add anything that helps.",
        ),
      ],
      "Messages to the team",
    ),
    group(
      "Messages to the team",
      [
        ask("text", "Message", {
          isLong: true,
          labels: { placeholder: "Your message", button: "Send" },
        }),
        say("Noted, thank you."),
      ],
      "Messages to the team",
    ),
  ],
}
