/** Talks to a published bot in the terminal: `npm run chat -- demo`. */
import { runMain } from "citty"
import { chatCommand } from "../src/cli/chat.ts"

await runMain(chatCommand(process.env))
