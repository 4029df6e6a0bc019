/** Sends mails over SMTP. */
import { isIP } from "node:net"
import { createTransport, type Transporter } from "nodemailer"
import type { Failure, Outcome } from "../../engine/calls.ts"
import { pickText } from "../../lib/foreignJson.ts"
import type { CredentialData } from "../credentials/credentialTypes.ts"
import { failed, networkFailure } from "../failures.ts"
import { createAddressRules } from "../network/addressRules.ts"
import { resolveAllowed } from "../network/guardedConnect.ts"
import { createResolve } from "../network/resolve.ts"
import { messageOf, type ReadyMail, type Sender } from "./mailMessage.ts"

/** A mail server, and the account that sends through it. */
export type MailServer = {
  host: string
  port: number
  /** Whether TLS is used from the start; otherwise STARTTLS where the server supports it. */
  isTlsEnabled: boolean
  user?: { name: string; password: string } | undefined
  from: Sender
}

/** Resolves a host to an IP address; throws a BlockedError if it must not be called. */
export type ResolveHost = (host: string, port: number) => Promise<string>

/** Applies the rules of the network guard to mail servers, since SMTP does not pass through it. */
export function createResolveHost(allowHosts: readonly string[]): ResolveHost {
  const guard = { rules: createAddressRules(allowHosts), resolve: createResolve() }
  const { rules } = guard
  return async (host, port) => {
    const isListed = rules.isListed(host, port)
    if (isIP(host) !== 0) {
      rules.checkIp(host, isListed)
      return host
    }
    const [{ address }] = await resolveAllowed(guard, host, isListed)
    return address
  }
}

const timeoutMs = 15_000

/** The mail server of an account. Returns undefined when its data is incomplete. */
export function serverOf(data: CredentialData): MailServer | undefined {
  const { host, port, isTlsEnabled } = data
  const email = pickText(data, "from", "email")
  if (typeof host !== "string" || typeof port !== "number" || email === undefined) return undefined
  const name = pickText(data, "username")
  return {
    host,
    port,
    // That port is only for connections that begin encrypted (RFC 8314).
    isTlsEnabled: isTlsEnabled === undefined ? port === 465 : isTlsEnabled === true,
    user: name ? { name, password: pickText(data, "password") ?? "" } : undefined,
    from: { email, name: pickText(data, "from", "name") },
  }
}

type Sending = {
  /** Ends it: a server that says a little again and again is never silent for long. */
  signal: AbortSignal
  /** Absent: any server is allowed, because the operator has configured it. */
  resolveHost?: ResolveHost
}

/** Sends one mail over a connection of its own. */
export async function sendBySmtp(
  server: MailServer,
  mail: ReadyMail,
  { signal, resolveHost }: Sending,
): Promise<Outcome<"email">> {
  const { host, port, isTlsEnabled, user, from } = server
  let transport: Transporter | undefined
  try {
    transport = createTransport({
      host: (await resolveHost?.(host, port)) ?? host,
      port,
      secure: isTlsEnabled,
      // The certificate must be for the name, not for the resolved address.
      tls: { servername: host },
      ...(user && { auth: { user: user.name, pass: user.password } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    const { messageId } = await transport.sendMail({ ...messageOf(mail, from), signal })
    return { messageId }
  } catch (error) {
    return failureOf(error, user?.password)
  } finally {
    transport?.close()
  }
}

function failureOf(error: unknown, password: string | undefined): Failure {
  const { code, response } = error as { code?: unknown; response?: unknown }
  if (code === "EAUTH") {
    return failed("The mail server refused the name or the password", { reason: "credentials" })
  }
  if (typeof response === "string") {
    const words = password ? response.replaceAll(password, "***") : response
    return failed("The mail server refused the mail", { details: words.slice(0, 500) })
  }
  if (code === "EENVELOPE") return failed("The mail has no recipient or no sender with an address")
  return networkFailure(withFirstCode(error), "The mail server")
}

/** The code of the system: nodemailer puts its own in that place, and where it knew none only the message has it. */
function withFirstCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { message, originalCode } = error as Error & { originalCode?: unknown }
  const code = typeof originalCode === "string" ? originalCode : /\bE[A-Z]{4,}\b/.exec(message)?.[0]
  return code === undefined ? error : Object.assign(error, { code })
}
