/** parley credentials extract */
import { existsSync } from "node:fs"
import { readBot } from "../authoring/lint/lint.ts"
import { type PlannedCredential, withCredential } from "../authoring/secrets/planExtraction.ts"
import type { ParleyClient } from "../client.ts"
import { extractionOf } from "../effects/credentials/extractionOf.ts"
import type { Block } from "../engine/blocks/registry.ts"
import { pick } from "../lib/foreignJson.ts"
import { readBotFile } from "./botFile.ts"
import { flag, option, print, tell, word } from "./command.ts"
import { botIdOf, serviceCommand, workspaceIdOf } from "./withService.ts"
import { replaceFile } from "./writeWhole.ts"

export const extractCommand = serviceCommand({
  name: "credentials extract",
  description: "Move keys in HTTP blocks into credentials of a workspace",
  args: {
    bot: word(
      "File with the bot, which is replaced, or the id or public id of a bot of the service",
    ),
    workspace: option("Id or name of the workspace of a file (the only one)"),
    "dry-run": flag("Only list what would move"),
  },
  run: async ({ bot, workspace, "dry-run": dryRun }, { client }) => {
    const { credentials, skipped } = existsSync(bot)
      ? await extractFromFile(client, { file: bot, workspace, dryRun })
      : await client.credentials.extract.mutate({ botId: await botIdOf(client, bot), dryRun })
    for (const { credentialsId, name, pointers } of credentials) {
      print([credentialsId, name, pointers.join(" ")].filter(Boolean).join("\t"))
    }
    for (const { place, reason, pointer } of skipped)
      tell(`Stays: ${place} (${pointer}): ${reason}.`)
    const counted = `Credentials: ${credentials.length}; secrets that stay: ${skipped.length}.`
    tell(dryRun ? `Nothing was changed. ${counted}` : counted)
    if (credentials.length > 0 && !dryRun)
      tell("Replace the secrets at their providers: older copies of the bot still have them.")
  },
})

type FileToChange = { file: string; workspace: string | undefined; dryRun: boolean }

async function extractFromFile(client: ParleyClient, { file, workspace, dryRun }: FileToChange) {
  const { raw } = await readBotFile(file)
  const flow = readBot(raw)
  if (flow === undefined) throw new Error(`${file} is no bot: see \`parley lint ${file}\`.`)
  const { credentials, skipped } = extractionOf(flow)
  const workspaceId = dryRun ? "" : await workspaceIdOf(client, workspace)
  const done = []
  for (const credential of credentials) {
    const { name, auth, allowedHosts, secrets } = credential
    const pointers = secrets.map(({ path }) => `/${path.join("/")}`)
    if (dryRun) {
      done.push({ credentialsId: undefined, name, pointers })
      continue
    }
    const sent = { type: "http", name: name.slice(0, 255), data: { auth }, allowedHosts }
    const { credentialsId } = await client.credentials.create.mutate({
      workspaceId,
      credentials: sent,
    })
    replaceSecrets(raw, credential, credentialsId)
    // After each, so that a failure leaves no credential that the file does not name.
    await replaceFile(file, `${JSON.stringify(raw, null, 2)}\n`)
    done.push({ credentialsId, name, pointers })
  }
  return { credentials: done, skipped }
}

function replaceSecrets(raw: unknown, { secrets }: PlannedCredential, credentialsId: string): void {
  for (const { entry, ...place } of secrets) {
    const blocks = pick(raw, ...entry.path.slice(0, -1)) as Block[]
    const block = blocks[entry.index]
    if (block) blocks[entry.index] = withCredential(block, credentialsId, place)
  }
}
