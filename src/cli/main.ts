/** The command line of Parley: `parley <command>`. */
import { defineCommand, runMain, type SubCommandsDef } from "citty"
import manifest from "../../package.json" with { type: "json" }
import { chatCommand } from "./chat.ts"
import type { Environment } from "./command.ts"
import { createUserCommand } from "./createUser.ts"
import { diffCommand } from "./diff.ts"
import { drawCommand } from "./draw.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { lintCommand } from "./lint.ts"
import { migrateCommand } from "./migrate.ts"
import { publishCommand, unpublishCommand } from "./publish.ts"
import { acceptSecretCommand, createSecretCommand } from "./secrets.ts"
import {
  createTokenCommand,
  generateTokenCommand,
  listTokensCommand,
  revokeTokensCommand,
} from "./tokens.ts"
import { historyCommand, restoreCommand, rollbackCommand } from "./versions.ts"
import { listWorkspacesCommand, setPlanCommand } from "./workspaces.ts"

/** Commands by name, which are yet to get their environment. */
type Commands = Readonly<Record<string, (environment: Environment) => SubCommandsDef[string]>>

function group(name: string, description: string, subCommands: Commands): Commands[string] {
  return (environment) =>
    defineCommand({ meta: { name, description }, subCommands: opened(subCommands, environment) })
}

function opened(commands: Commands, environment: Environment): SubCommandsDef {
  const all = Object.entries(commands)
  return Object.fromEntries(all.map(([name, command]) => [name, command(environment)]))
}

const commands: Commands = {
  chat: chatCommand,
  diff: diffCommand,
  draw: drawCommand,
  export: exportCommand,
  history: historyCommand,
  import: importCommand,
  lint: lintCommand,
  migrate: migrateCommand,
  publish: publishCommand,
  restore: restoreCommand,
  rollback: rollbackCommand,
  secret: group("secret", "Replace a secret that is lost", {
    accept: acceptSecretCommand,
    create: createSecretCommand,
  }),
  token: group("token", "Create, list and revoke API tokens", {
    create: createTokenCommand,
    generate: generateTokenCommand,
    list: listTokensCommand,
    revoke: revokeTokensCommand,
  }),
  unpublish: unpublishCommand,
  user: group("user", "Create users", { create: createUserCommand }),
  workspace: group("workspace", "List workspaces, and set their plans", {
    list: listWorkspacesCommand,
    "set-plan": setPlanCommand,
  }),
}

// Dates are parsed and printed in one zone, whatever machine this runs on.
process.env.TZ = "UTC"

await runMain(
  defineCommand({
    meta: { name: "parley", version: manifest.version, description: manifest.description },
    subCommands: opened(commands, process.env),
  }),
)
