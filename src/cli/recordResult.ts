/** parley record --result: a recorded conversation as a test. */
import { randomInt } from "node:crypto"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openSandbox } from "../effects/sandbox/sandbox.ts"
import { writeTestFile } from "../workshop/files/writeTestFile.ts"
import { createMadeUp, textsOf } from "../workshop/record/madeUp.ts"
import { recordFromChat } from "../workshop/record/recordFromChat.ts"
import { readStoredBot } from "./botFile.ts"
import { tell } from "./command.ts"
import { botIdOf, type Service } from "./withService.ts"
import { seenFrom, writeWhole } from "./writeWhole.ts"

type Wanted = {
  file: string
  bot: string
  resultId: string
  botFile: string | undefined
  name: string | undefined
  verbatim: boolean
  force: boolean
}

/** Writes the bot that a conversation ran, and the conversation as its test. */
export async function recordResult({ client }: Service, wanted: Wanted): Promise<void> {
  const { file, resultId, name, verbatim, force } = wanted
  const request = { botId: await botIdOf(client, wanted.bot), resultId }
  const { result } = await client.result.get.query(request)
  const { versionNumber: number } = result
  if (number === undefined) {
    throw new Error("The version that the conversation ran was deleted: nothing can repeat it.")
  }
  const { lines = [] } = await client.result.transcript.query(request)
  const { turns } = await client.result.trace.query(request)
  const { version } = await client.version.get.query({ botId: request.botId, number })
  const botFile = wanted.botFile ?? join(dirname(file), `${request.botId}.v${number}.json`)
  const botText = `${JSON.stringify(version.bot, null, 2)}\n`
  // Conversations of one version share its file.
  const isThere = (await readFile(botFile, "utf8").catch(() => "")) === botText
  if (!isThere) await writeWhole(botFile, botText, force)
  const { flow } = await readStoredBot(botFile)
  const said = lines.flatMap(({ from, text }) => (from === "person" ? text : []))
  const random = () => randomInt(2 ** 40) / 2 ** 40
  const madeUp = verbatim ? undefined : createMadeUp({ random, keeps: textsOf(flow), said })
  const sandbox = openSandbox()
  try {
    const record = { startedAt: Date.parse(result.createdAt), lines, turns }
    const parts = { flow, runScripts: sandbox.run, madeUp }
    const { test, head, remarks } = await recordFromChat(record, parts)
    const written = { bot: seenFrom(file, botFile), ...(name !== undefined && { name }), ...test }
    const writing = { isJson: file.endsWith(".json"), head: head.join("\n"), remarks }
    await writeWhole(file, writeTestFile(written, writing), force)
    tell(`The conversation is in ${file} and its bot in ${botFile}.`)
    for (const remark of [...head.slice(1), ...remarks.map(({ text }) => text)]) tell(remark)
  } finally {
    sandbox.close()
  }
}
