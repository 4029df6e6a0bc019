/** Blocks that need an account have one. */
import type { Found, Rule } from "../finding.ts"
import type { Path } from "../location.ts"
import type { Site } from "../sites.ts"
import type { Subject } from "../subject.ts"

/** A block without an account, or with one that the workspace does not have. */
export const missingCredential: Rule = {
  id: "missing-credential",
  severity: "warning",
  description: "Every block that needs a credential names one of its workspace.",
  remedy: "Choose a credential of this workspace in the block.",
  checkBlock: (site, subject) => [...withoutAny(site), ...withForeign(subject, site)],
}

function withoutAny({ block, type, path }: Site): Found[] {
  if (!type.needsCredentials?.(block)) return []
  const options = optionsOf(block)
  if (options?.credentialsId) return []
  return [
    { path: options ? [...path, "options"] : path, message: "The block has no account to use" },
  ]
}

const members = ["credentialsId", "proxyCredentialsId"] as const

function withForeign({ surroundings }: Subject, { block, type, path }: Site): Found[] {
  const { credentialIds } = surroundings
  const options = optionsOf(block)
  if (!credentialIds || !options) return []
  return members.flatMap((member): { path: Path; message: string }[] => {
    const id = options[member]
    if (typeof id !== "string" || id === "" || credentialIds.has(id)) return []
    if (id === type.fallbackCredentialsId) return []
    const message = `The workspace has no credential with the id "${id}"`
    return [{ path: [...path, "options", member], message }]
  })
}

type Options = { [member in (typeof members)[number]]?: unknown }

function optionsOf(block: object): Options | undefined {
  if (!("options" in block)) return undefined
  const { options } = block
  return typeof options === "object" && options !== null ? options : undefined
}
