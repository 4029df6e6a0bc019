/** The command line of Parley: `parley <command>`. */
import { type CommandDef, defineCommand, runMain, type SubCommandsDef } from "citty"
import manifest from "../../package.json" with { type: "json" }
import { chatCommand } from "./chat.ts"
import { createSecretCommand } from "./createSecret.ts"
import { createTokenCommand } from "./createToken.ts"
import { createUserCommand } from "./createUser.ts"
import { exportCommand } from "./export.ts"
import { generateTokenCommand } from "./generateToken.ts"
import { importCommand } from "./import.ts"
import { lintCommand } from "./lint.ts"
import { listTokensCommand } from "./listTokens.ts"
import { migrateCommand } from "./migrate.ts"
import { publishCommand, unpublishCommand } from "./publish.ts"
import { revokeTokensCommand } from "./revokeTokens.ts"

function group(name: string, description: string, subCommands: SubCommandsDef): CommandDef {
  return defineCommand({ meta: { name, description }, subCommands })
}

const commands: SubCommandsDef = {
  chat: chatCommand,
  export: exportCommand,
  import: importCommand,
  lint: lintCommand,
  migrate: migrateCommand,
  publish: publishCommand,
  secret: group("secret", "Replace a secret that is lost", { create: createSecretCommand }),
  token: group("token", "Create, list and revoke API tokens", {
    create: createTokenCommand,
    generate: generateTokenCommand,
    list: listTokensCommand,
    revoke: revokeTokensCommand,
  }),
  unpublish: unpublishCommand,
  user: group("user", "Create users", { create: createUserCommand }),
}

// Dates are parsed and printed in one zone, whatever machine this runs on.
process.env.TZ = "UTC"

await runMain(
  defineCommand({
    meta: { name: "parley", version: manifest.version, description: manifest.description },
    subCommands: commands,
  }),
)
