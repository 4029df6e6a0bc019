/** Signs permissions for one action on one file, in the query of its address (HMAC-SHA256). */
import { createHmac, timingSafeEqual } from "node:crypto"

export type Signer = ReturnType<typeof createSigner>

type Permit = { action: "upload" | "download"; key: string; seconds: number }

/** Creates a signer: the first secret signs, all of them verify. They must not be used for anything else. */
export function createSigner(secrets: readonly Buffer[]) {
  const signatures = (action: string, key: string, limits: URLSearchParams) =>
    secrets.map((secret) =>
      createHmac("sha256", secret).update(`${action} ${key} ${limits}`).digest("base64url"),
    )
  return {
    /** The query of a permission: the limits, and `expires` in milliseconds since 1970. */
    sign({ action, key, seconds }: Permit, limits: Record<string, number | string> = {}) {
      const query = new URLSearchParams({ expires: String(Date.now() + seconds * 1000) })
      for (const [name, limit] of Object.entries(limits)) query.append(name, String(limit))
      query.append("signature", signatures(action, key, query)[0] ?? "")
      return query.toString()
    },
    /** Whether a query grants the permission, unchanged and not expired. */
    admits({ action, key }: Omit<Permit, "seconds">, query: URLSearchParams) {
      const limits = new URLSearchParams([...query].filter(([name]) => name !== "signature"))
      const given = query.get("signature") ?? ""
      const isGenuine = signatures(action, key, limits).some((each) => isEqual(given, each))
      return isGenuine && Number(query.get("expires")) > Date.now()
    },
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
