/** The commands of the command line, by name. */
import { defineCommand, type SubCommandsDef } from "citty"
import { backupCommand, moveCommand } from "./backup/commands.ts"
import { chatCommand } from "./chat.ts"
import { createUserCommand } from "./createUser.ts"
import { diffCommand } from "./diff.ts"
import { drawCommand } from "./draw.ts"
import { exploreCommand } from "./explore.ts"
import { exportCommand } from "./export.ts"
import { importCommand } from "./import.ts"
import { lintCommand } from "./lint.ts"
import { listCommand } from "./list.ts"
import { listenCommand } from "./listen.ts"
import { loginCommand } from "./login.ts"
import { mcpCommand } from "./mcp.ts"
import { migrateCommand } from "./migrate.ts"
import { openCommand } from "./open.ts"
import { publishCommand, unpublishCommand } from "./publish.ts"
import { pushCommand } from "./push.ts"
import { recordCommand } from "./record.ts"
import { replayCommand } from "./replay.ts"
import { restoreCommand } from "./restore.ts"
import { resultsCommand } from "./results.ts"
import { schemaCommand } from "./schema.ts"
import { acceptSecretCommand, createSecretCommand } from "./secrets.ts"
import { startCommand } from "./start.ts"
import { testCommand } from "./test.ts"
import {
  createTokenCommand,
  generateTokenCommand,
  listTokensCommand,
  revokeTokensCommand,
} from "./tokens.ts"
import { typesCommand } from "./types.ts"
import { historyCommand, rollbackCommand } from "./versions.ts"
import { listWorkspacesCommand, setPlanCommand } from "./workspaces.ts"

/** What `parley` is followed by. */
export const commands: SubCommandsDef = {
  backup: backupCommand,
  chat: chatCommand,
  diff: diffCommand,
  draw: drawCommand,
  explore: exploreCommand,
  export: exportCommand,
  history: historyCommand,
  import: importCommand,
  lint: lintCommand,
  list: listCommand,
  listen: listenCommand,
  login: loginCommand,
  mcp: mcpCommand,
  migrate: migrateCommand,
  move: moveCommand,
  open: openCommand,
  publish: publishCommand,
  push: pushCommand,
  record: recordCommand,
  replay: replayCommand,
  restore: restoreCommand,
  results: resultsCommand,
  rollback: rollbackCommand,
  schema: schemaCommand,
  secret: defineCommand({
    meta: { name: "secret", description: "Replace a secret that is lost" },
    subCommands: { accept: acceptSecretCommand, create: createSecretCommand },
  }),
  start: startCommand,
  test: testCommand,
  token: defineCommand({
    meta: { name: "token", description: "Create, list and revoke API tokens" },
    subCommands: {
      create: createTokenCommand,
      generate: generateTokenCommand,
      list: listTokensCommand,
      revoke: revokeTokensCommand,
    },
    default: "create",
  }),
  types: typesCommand,
  unpublish: unpublishCommand,
  user: defineCommand({
    meta: { name: "user", description: "Create users" },
    subCommands: { create: createUserCommand },
  }),
  workspace: defineCommand({
    meta: { name: "workspace", description: "List workspaces and set their plans" },
    subCommands: { list: listWorkspacesCommand, "set-plan": setPlanCommand },
  }),
}
