/** The command line of Parley: `parley <command>`. */
import { defineCommand, runMain, type SubCommandsDef } from "citty"
import manifest from "../../package.json" with { type: "json" }
import { backupCommand, moveCommand } from "./backup/commands.ts"
import { chatCommand } from "./chat.ts"
import type { Environment } from "./command.ts"
import { createUserCommand } from "./createUser.ts"
import { diffCommand } from "./diff.ts"
import { drawCommand } from "./draw.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { lintCommand } from "./lint.ts"
import { listCommand } from "./list.ts"
import { listenCommand } from "./listen.ts"
import { migrateCommand } from "./migrate.ts"
import { openCommand } from "./open.ts"
import { publishCommand, unpublishCommand } from "./publish.ts"
import { pushCommand } from "./push.ts"
import { restoreCommand } from "./restore.ts"
import { resultsCommand } from "./results.ts"
import { acceptSecretCommand, createSecretCommand } from "./secrets.ts"
import { startCommand } from "./start.ts"
import {
  createTokenCommand,
  generateTokenCommand,
  listTokensCommand,
  revokeTokensCommand,
} from "./tokens.ts"
import { historyCommand, rollbackCommand } from "./versions.ts"
import { listWorkspacesCommand, setPlanCommand } from "./workspaces.ts"

/** Commands by name, which are yet to get their environment. */
type Commands = Readonly<Record<string, (environment: Environment) => SubCommandsDef[string]>>

/** Commands of two words; `usual` is the second one when it is left out. */
function group(
  meta: { name: string; description: string },
  subCommands: Commands,
  usual?: string,
): Commands[string] {
  return (environment) =>
    defineCommand({
      meta,
      subCommands: opened(subCommands, environment),
      ...(usual !== undefined && { default: usual }),
    })
}

function opened(commands: Commands, environment: Environment): SubCommandsDef {
  const all = Object.entries(commands)
  return Object.fromEntries(all.map(([name, command]) => [name, command(environment)]))
}

const commands: Commands = {
  backup: backupCommand,
  chat: chatCommand,
  diff: diffCommand,
  draw: drawCommand,
  export: exportCommand,
  history: historyCommand,
  import: importCommand,
  lint: lintCommand,
  list: listCommand,
  listen: listenCommand,
  migrate: migrateCommand,
  move: moveCommand,
  open: openCommand,
  publish: publishCommand,
  push: pushCommand,
  restore: restoreCommand,
  results: resultsCommand,
  rollback: rollbackCommand,
  secret: group(
    { name: "secret", description: "Replace a secret that is lost" },
    {
      accept: acceptSecretCommand,
      create: createSecretCommand,
    },
  ),
  start: startCommand,
  token: group(
    { name: "token", description: "Create, list and revoke API tokens" },
    {
      create: createTokenCommand,
      generate: generateTokenCommand,
      list: listTokensCommand,
      revoke: revokeTokensCommand,
    },
    "create",
  ),
  unpublish: unpublishCommand,
  user: group({ name: "user", description: "Create users" }, { create: createUserCommand }),
  workspace: group(
    { name: "workspace", description: "List workspaces, and set their plans" },
    {
      list: listWorkspacesCommand,
      "set-plan": setPlanCommand,
    },
  ),
}

// Dates are parsed and printed in one zone, whatever machine this runs on.
process.env.TZ = "UTC"

await runMain(
  defineCommand({
    meta: { name: "parley", version: manifest.version, description: manifest.description },
    subCommands: opened(commands, process.env),
  }),
)
