/** A request has an address. */
import type { Rule } from "../finding.ts"
import { problemsOf } from "../problems.ts"

/** A request that is never made. */
export const httpWithoutUrl: Rule = {
  id: "http-without-url",
  severity: "warning",
  description: "Every HTTP request has a URL; without one it is skipped.",
  remedy: "Enter the URL, or delete the block.",
  checkBlock: (site) => problemsOf(site, "http-without-url"),
}
