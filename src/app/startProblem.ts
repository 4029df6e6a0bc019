/** Explains in a sentence why the service does not start, and what to do about it. */
import { type NetworkFailure, networkFailureOfCode } from "../lib/networkErrors.ts"
import { remedyFor } from "../postgres/remedies.ts"

type SystemError = Error & {
  code?: string
  syscall?: string
  path?: string
  address?: string
  /** -1 for sockets. */
  port?: number
}

/** The sentence; it never contains a password. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall, path, address, port }: SystemError = error
  const isShort = /^(?:EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM)$/.test(code ?? "")
  const isClosed = /^(?:EACCES|EPERM|EROFS)$/.test(code ?? "") && "path" in error
  if (isShort || isClosed) return `${error.message}. ${remedyFor(error.message)}`
  if (syscall === "open" && path && /^(?:EISDIR|ENOENT|ENOTDIR)$/.test(code ?? ""))
    return `The file ${path} cannot be opened (${code}): name another one.`
  // The workers of a cluster bind the port that the primary listens on.
  const isListening = syscall === "listen" || syscall === "bind"
  if (isListening && port === -1) {
    return `Listening on the socket ${address} failed (${code}): set PARLEY_SOCKET to another path.`
  }
  if (isListening && code === "EADDRINUSE") {
    return `Port ${port} is in use: stop the program that uses it, or set PORT to another number.`
  }
  if (isListening && code === "EACCES") {
    return `Listening on port ${port} is not allowed: set PORT to a number above 1023.`
  }
  if (isListening || code === "EADDRNOTAVAIL") {
    return `Listening on ${address ?? "the host"} failed (${code}): set HOST to an address of this machine.`
  }
  const failure = networkFailureOfCode(code ?? "")
  const isOfConnection = syscall === "connect" || !ofFilesToo.test(code ?? "")
  if (failure !== undefined && notOfTls(failure) && isOfConnection) return noAnswer(code)
  // Words of the database while it starts or stops (57P03), and those of pg, which have no code.
  if (code === "57P03" || /^Connection terminated /.test(error.message))
    return noAnswer(error.message)
  if (code === "42501") {
    return `The database refuses a right (${error.message}): make the user of DATABASE_URL its owner.`
  }
  // The words of PostgreSQL 12 to 18 when only its rules for encrypted connections would match.
  if (code === "28000" && /no encryption|SSL off/.test(error.message)) return demandsTls
  if (failure === "untrusted") {
    return `The certificate of the database is not trusted (${error.message}): ${trustWords}`
  }
  return remedies.get(code ?? error.message) ?? error.message
}

/** Without what was called, these may be of files. */
const ofFilesToo =
  /^(?:ENOENT|EACCES|EPERM|ENOTDIR|ELOOP|EIO|EINVAL|ENOSPC|EMFILE|ENFILE|ENAMETOOLONG)$/

const notOfTls = (failure: NetworkFailure) => failure !== "untrusted" && failure !== "tls"

function noAnswer(why: string | undefined): string {
  return `The database does not answer (${why}): check that it runs, and that DATABASE_URL is right.`
}

const trustWords =
  "name the file of its authority by sslrootcert in DATABASE_URL, or trust any by sslmode=no-verify."

const demandsTls =
  "The database demands TLS: add sslmode=require to DATABASE_URL, or sslmode=verify-full with sslrootcert."

const refusedUser = "The database refuses the user or the password: check DATABASE_URL."

/** By the code of the database, or by the words of pg, which have none. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["28P01", refusedUser],
  ["28000", refusedUser],
  [
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    "The database asks for a password: name one in DATABASE_URL.",
  ],
  ["3D000", "The database does not exist: create it, or change DATABASE_URL."],
  [
    "25006",
    "The database is read-only: check that DATABASE_URL names the primary, and that its storage is not locked.",
  ],
  [
    "53300",
    "The database has too many connections: raise its max_connections, or lower PARLEY_DB_POOL_SIZE.",
  ],
  ["53100", "The disk of the database is full: make room, then start again."],
  [
    "The server does not support SSL connections",
    "The database does not take TLS: turn it on there, or remove sslmode from DATABASE_URL.",
  ],
])
