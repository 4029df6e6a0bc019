/** The shortest conversation: how tests of this folder read. */
import { it } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

it("asks for an e-mail, refuses a bad one and greets with the good one", () => {
  talk(bot(group("Contact", say("Your e-mail?"), ask.email({ saves: "E" }), say("Hi {{E}}"))))
    .bot("Your e-mail?")
    .asks("email input")
    .user("bad")
    .bot("This does not look like an email address. Could you type it again?")
    .asks("email input")
    .user("A@B.co")
    .bot("Hi a@b.co")
    .ends()
})
