/** Serves GET /tls/allowed: whether a proxy may get a certificate for a domain, as `ask` of Caddy wants to know. */
import { AppError } from "../../lib/errors.ts"
import { sendText } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { Sites } from "../sites.ts"

const maxLength = 255

/** Creates the page: 200 for a domain at which a bot is served, else 404. */
export function createTlsPage(sites: Pick<Sites, "isServed">): Page {
  return async (exchange) => {
    const domain = new URLSearchParams(exchange.search).get("domain") ?? ""
    if (domain.length > maxLength || !(await sites.isServed(domain))) {
      throw new AppError("NOT_FOUND", "No bot is served at this domain")
    }
    sendText(exchange, 200, "{}")
  }
}
