/** Classifies errors of sockets, name look-ups and TLS by their codes: one table for all who connect. */

/**
 * Why a connection failed:
 * - `name`: its name was not resolved;
 * - `refused`: nothing listens there, or the socket is not there;
 * - `unreachable`: there is no way to its host;
 * - `closed`: it ended while in use;
 * - `late`: no answer came in time;
 * - `untrusted`: its certificate is not valid, or is for another name;
 * - `tls`: no common way to encrypt;
 * - `exhausted`: this machine has no room for another connection.
 */
export type NetworkFailure =
  | "name"
  | "refused"
  | "unreachable"
  | "closed"
  | "late"
  | "untrusted"
  | "tls"
  | "exhausted"

const codesOf: Readonly<Record<NetworkFailure, string>> = {
  name: `ENOTFOUND ENODATA EAI_ADDRFAMILY EAI_AGAIN EAI_BADFLAGS EAI_BADHINTS EAI_CANCELED EAI_FAIL
    EAI_FAMILY EAI_MEMORY EAI_NODATA EAI_NONAME EAI_OVERFLOW EAI_PROTOCOL EAI_SERVICE EAI_SOCKTYPE
    EFORMERR ESERVFAIL ENOTIMP EREFUSED EBADQUERY EBADNAME EBADFAMILY EBADRESP EOF EFILE ENOMEM
    EDESTRUCTION EBADSTR EBADFLAGS ENONAME EBADHINTS ENOTINITIALIZED ELOADIPHLPAPI
    EADDRGETNETWORKPARAMS ECANCELLED`,
  refused: "ECONNREFUSED ENOENT ENXIO ENODEV ENOTSOCK EPROTOTYPE ENOTDIR ELOOP ENAMETOOLONG",
  unreachable: `EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENONET EACCES EPERM EADDRNOTAVAIL
    EAFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT EINVAL ENOTSUP EOPNOTSUPP ENOPROTOOPT`,
  closed: `ECONNRESET ECONNABORTED EPIPE ENETRESET ENOTCONN ESHUTDOWN ECANCELED EIO EREMOTEIO EBADMSG
    ENOLINK ECOMM UND_ERR_SOCKET`,
  late: `ETIMEDOUT ETIMEOUT ETIME ERR_TLS_HANDSHAKE_TIMEOUT UND_ERR_CONNECT_TIMEOUT
    UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT`,
  untrusted: `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE
    UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CERT_SIGNATURE_FAILURE
    CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED
    ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD
    ERROR_IN_CRL_NEXT_UPDATE_FIELD OUT_OF_MEM DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED
    INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH
    ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT`,
  tls: "EPROTO",
  exhausted: "EMFILE ENFILE ENOBUFS EAGAIN EWOULDBLOCK EADDRINUSE ENOSPC ENOSR EDQUOT",
}

const failures = new Map(
  (Object.entries(codesOf) as [NetworkFailure, string][]).flatMap(([failure, codes]) =>
    codes.split(/\s+/).map((code) => [code, failure] as const),
  ),
)

/** The reasons of OpenSSL are many; each is a code of its own. */
const ofTls = /^ERR_(?:TLS|SSL|OSSL)_/

/** What the system was asked for when a connection failed; files are read and written, too. */
const connecting = /^(?:connect|socket|getaddrinfo|getnameinfo|shutdown|query[A-Z]\w*)$/
const transferring = /^(?:read|write)$/

/** The failures that a file has, too: of those that are read and written, only a socket has the others. */
const ofFiles: ReadonlySet<NetworkFailure> = new Set(["refused", "exhausted", "unreachable"])
const ofFilesToo = new Set(["EIO", "EBADMSG", "ENOMEM", "ENODATA", "EREMOTEIO", "ENOLINK"])

/** Why a connection failed, by a code alone. Returns undefined for codes of other things. */
export function networkFailureOfCode(code: string): NetworkFailure | undefined {
  return failures.get(code) ?? (ofTls.test(code) ? "tls" : undefined)
}

/**
 * Why a connection failed, by the error of a socket, a name look-up or TLS. Returns undefined for errors of
 * other things, such as files, whose codes are partly the same.
 */
export function networkFailureOf(error: unknown): NetworkFailure | undefined {
  if (!(error instanceof Error)) return undefined
  // Several addresses of a host were tried: the error has the code of the first, and not what was called.
  if (error instanceof AggregateError) return networkFailureOf(error.errors[0])
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== "string") return undefined
  const failure = networkFailureOfCode(code)
  // Any code means that no connection was made.
  if (connecting.test(String(syscall))) return failure ?? "unreachable"
  if (transferring.test(String(syscall))) {
    const isOfFile = failure === undefined || ofFiles.has(failure) || ofFilesToo.has(code)
    return isOfFile ? undefined : failure
  }
  // Errors of certificates and of handshakes name no call.
  return syscall === undefined && (failure === "untrusted" || ofTls.test(code))
    ? failure
    : undefined
}
