/** Surroundings of a flow for the linter, and refusals from its findings. */
import type { Finding } from "../authoring/lint/finding.ts"
import type { Surroundings } from "../authoring/lint/lintContext.ts"
import { listFilesOfBot } from "../db/bots/authorFiles.ts"
import { listKnownBots } from "../db/bots/bots.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { listKnownCredentials } from "../db/people/credentials.ts"
import { listVariableNames } from "../db/people/workspaceVariables.ts"
import { AppError, type Issue } from "../lib/errors.ts"
import type { FlowReferences } from "./flowReferences.ts"

export async function surroundingsOf(
  db: Db,
  { workspaceId, botId }: { workspaceId: string; botId?: string | undefined },
  { botIds, credentialIds, namesVariables }: FlowReferences,
): Promise<Surroundings> {
  return {
    botIds: await listKnownBots(db, { workspaceId, ids: botIds }),
    credentials: await listKnownCredentials(db, { workspaceId, ids: credentialIds }),
    files: botId === undefined ? [] : await listFilesOfBot(db, botId),
    ...(botId !== undefined && { botId }),
    ...(namesVariables && { variables: await listVariableNames(db, workspaceId) }),
  }
}

/** Refuses a bot that cannot run, with an issue for each error. */
export function refuseErrors(errors: readonly Finding[]): void {
  if (errors.length > 0)
    throw new AppError("BOT_INVALID", "The bot cannot run in this state", {
      issues: errors.map(issueOf),
    })
}

function issueOf({ rule, pointer, place, message }: Finding): Issue {
  return { message, path: pathOf(pointer), pointer, code: rule, place }
}

function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
