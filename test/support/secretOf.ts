/** What pages of the service know of a session. */
import { pageSecret } from "../../src/people/sessionCookie.ts"

/** The secret that pages of the service get for the session, or the form, of a cookie: `name=value`. */
export function secretOf(cookie: string): string {
  return pageSecret(cookie.slice(cookie.indexOf("=") + 1))
}
