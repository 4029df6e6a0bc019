/** The commands of the command line, by name. */
import { defineCommand, type SubCommandsDef } from "citty"

/** What `parley` is followed by; only the command that is run is loaded. */
export const commands: SubCommandsDef = {
  backup: async () => (await import("./backup/commands.ts")).backupCommand,
  chat: async () => (await import("./chat.ts")).chatCommand,
  completion: async () => (await import("./completion.ts")).completionOf(commands),
  credentials: defineCommand({
    meta: { name: "credentials", description: "Move keys of bots into credentials" },
    subCommands: { extract: async () => (await import("./credentials.ts")).extractCommand },
  }),
  diff: async () => (await import("./diff.ts")).diffCommand,
  draw: async () => (await import("./draw.ts")).drawCommand,
  explore: async () => (await import("./explore.ts")).exploreCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  history: async () => (await import("./versions.ts")).historyCommand,
  import: async () => (await import("./import.ts")).importCommand,
  invite: async () => (await import("./invite.ts")).inviteCommand,
  lint: async () => (await import("./lint.ts")).lintCommand,
  list: async () => (await import("./list.ts")).listCommand,
  listen: async () => (await import("./listen.ts")).listenCommand,
  login: async () => (await import("./login.ts")).loginCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  migrate: async () => (await import("./migrate.ts")).migrateCommand,
  move: async () => (await import("./backup/commands.ts")).moveCommand,
  open: async () => (await import("./open.ts")).openCommand,
  operator: defineCommand({
    meta: { name: "operator", description: "Say which users operate the service" },
    subCommands: {
      add: async () => (await import("./operators.ts")).addOperatorCommand,
      list: async () => (await import("./operators.ts")).listOperatorsCommand,
      remove: async () => (await import("./operators.ts")).removeOperatorCommand,
    },
  }),
  publish: async () => (await import("./publish.ts")).publishCommand,
  push: async () => (await import("./push.ts")).pushCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  replay: async () => (await import("./replay.ts")).replayCommand,
  restore: async () => (await import("./restore.ts")).restoreCommand,
  results: async () => (await import("./results.ts")).resultsCommand,
  rollback: async () => (await import("./versions.ts")).rollbackCommand,
  schema: async () => (await import("./schema.ts")).schemaCommand,
  secret: defineCommand({
    meta: { name: "secret", description: "Replace a secret that is lost" },
    subCommands: {
      accept: async () => (await import("./secrets.ts")).acceptSecretCommand,
      create: async () => (await import("./secrets.ts")).createSecretCommand,
    },
  }),
  start: async () => (await import("./start.ts")).startCommand,
  test: async () => (await import("./test.ts")).testCommand,
  token: defineCommand({
    meta: { name: "token", description: "Create, list and revoke API tokens" },
    subCommands: {
      create: async () => (await import("./tokens.ts")).createTokenCommand,
      generate: async () => (await import("./tokens.ts")).generateTokenCommand,
      list: async () => (await import("./tokens.ts")).listTokensCommand,
      revoke: async () => (await import("./tokens.ts")).revokeTokensCommand,
    },
    default: "create",
  }),
  types: async () => (await import("./types.ts")).typesCommand,
  unpublish: async () => (await import("./publish.ts")).unpublishCommand,
  user: defineCommand({
    meta: { name: "user", description: "Create, list, disable and delete users" },
    subCommands: {
      create: async () => (await import("./users.ts")).createUserCommand,
      delete: async () => (await import("./users.ts")).deleteUserCommand,
      disable: async () => (await import("./users.ts")).disableUserCommand,
      enable: async () => (await import("./users.ts")).enableUserCommand,
      list: async () => (await import("./users.ts")).listUsersCommand,
    },
  }),
  workspace: defineCommand({
    meta: { name: "workspace", description: "List, show and change workspaces" },
    subCommands: {
      list: async () => (await import("./workspaces.ts")).listWorkspacesCommand,
      set: async () => (await import("./workspaces.ts")).setWorkspaceCommand,
      "set-plan": async () => (await import("./workspaces.ts")).setPlanCommand,
      show: async () => (await import("./workspaces.ts")).showWorkspaceCommand,
    },
  }),
}
