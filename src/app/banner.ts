/** The text that a start prints on standard output: how to reach the service, and what to do first. */
import { relative } from "node:path"
import { shown } from "./addressFile.ts"
import type { Config } from "./config.ts"
import { demoPublicId } from "./demo.ts"
import type { Service } from "./service.ts"

/** The text; it has a token only on the start that created the first user. */
export function bannerOf(
  service: Omit<Service, "stop">,
  config: Pick<Config, "databaseUrl" | "dataFolder" | "chatUrl">,
): string {
  const { databaseFolder, first, owner, signInLink } = service
  const address = shown(service.address)
  // With several users, commands need `--email`.
  const forOwner = owner && !owner.isOnly ? ` --email ${owner.email}` : ""
  const json = "-H 'content-type: application/json'"
  const lines = [
    "Parley is ready.",
    "",
    `  API        ${address}/api/v1   (tRPC: ${address}/api/trpc)`,
    `  Docs       ${address}/docs   (OpenAPI: ${address}/openapi.json)`,
    `  Data       ${config.databaseUrl === undefined ? folder(config.dataFolder) : "the database of DATABASE_URL"}`,
    ...(databaseFolder === undefined
      ? []
      : [`  Database   ${databaseFolder}`, `             ${separateWords}`]),
    ...(first
      ? [
          `  User       ${first.email}`,
          `  Token      ${first.token}`,
          "             Keep it: it is shown only once.",
        ]
      : []),
    ...(signInLink === undefined
      ? []
      : [
          `  Sign in    ${signInLink}`,
          ...(forOwner ? [`             As ${owner?.email}`] : []),
          `             Works once, within ten minutes. Another: npx parley login${forOwner}`,
        ]),
    `  New token  npx parley token create${forOwner}`,
    "",
    "Talk to the demo bot:",
    "",
    `  ${config.chatUrl ?? address}/chat/${demoPublicId}`,
    `  npx parley chat ${demoPublicId}`,
    "",
    "Or by hand:",
    "",
    `  curl -X POST ${address}/api/v1/bots/${demoPublicId}/startChat`,
    `  curl -X POST ${address}/api/v1/sessions/SESSION_ID/continueChat ${json} -d '{"message":"I am just looking"}'`,
    "",
  ]
  return `${lines.join("\n")}\n`
}

/** About a database outside the data folder. */
export const separateWords =
  "A copy of the data folder alone is not a backup: `npx parley backup` saves both."

function folder(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith("..") ? path : `./${near}`
}
