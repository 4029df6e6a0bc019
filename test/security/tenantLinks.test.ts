/** Links between the bots of two workspaces: a chat enters none but those of its own. */
import { expect, test } from "vitest"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import type { TestServer } from "../support/server.ts"
import { marker, newTarget, server, tokens } from "./twoTenants.ts"

/** The service as the stranger sees it. */
const stranger: TestServer = {
  ...server,
  send: (method, path, sent) => server.send(method, path, { token: tokens.stranger, ...sent }),
}

test("a chat enters no bot of another workspace, published or previewed", async () => {
  const of = await newTarget()
  const linking = bot(group("A", link(of.botId), say("still mine"), ask.text()))
  const mine = await publishBot(stranger, linking)
  const { step } = await chatOver(stranger, mine.publicId)
  expect(textsOf(step)).toEqual(["still mine"])
  const preview = await stranger.send("POST", `/api/v1/bots/${mine.botId}/preview/startChat`, {
    body: { bot: linking, textBubbleContentFormat: "markdown" },
  })
  expect(JSON.stringify(preview.body)).toContain("still mine")
  expect(JSON.stringify(preview.body)).not.toContain(marker)
})
