/** Every error that a socket, a name look-up or TLS may give is classified, and those of files are not. */
import dns from "node:dns"
import { constants } from "node:os"
import { getSystemErrorMap } from "node:util"
import { describe, expect, test } from "vitest"
import { failureOf } from "../db/connection/databaseFailures.ts"
import { networkFailureOf, networkFailureOfCode } from "./networkErrors.ts"

const thrown = (facts: object) => Object.assign(new Error("x"), facts)

/** What connecting cannot give: mistakes of this code, results that are none, and errors of files alone. */
const ofOtherThings =
  `E2BIG EALREADY EBADF EBUSY ECHILD ECHRNG EDEADLK EDESTADDRREQ EDOM EEXIST EFAULT EFBIG
  EFTYPE EIDRM EILSEQ EINPROGRESS EINTR EISCONN EISDIR EMLINK EMSGSIZE EMULTIHOP ENOEXEC ENOLCK
  ENOMSG ENOSTR ENOSYS ENOTEMPTY ENOTTY ENOTBLK EOVERFLOW ERANGE EROFS ESPIPE ESRCH ESTALE ETXTBSY EXDEV
  ECHARSET UNKNOWN EUNATCH ENOEXEC EREMCHG EBADMACHO`.split(/\s+/)

const systemCodes = [
  ...Object.keys(constants.errno),
  ...[...getSystemErrorMap().values()].map(([name]) => name),
]
const dnsCodes = Object.entries(dns)
  .filter(([name, code]) => /^[A-Z]+$/.test(name) && typeof code === "string")
  .map(([, code]) => String(code))

describe("one table knows", () => {
  test("every error of the system, or that it is none of connections", () => {
    const unknown = systemCodes.filter(
      (code) => networkFailureOfCode(code) === undefined && !ofOtherThings.includes(code),
    )
    expect(unknown).toEqual([])
    const both = ofOtherThings.filter((code) => networkFailureOfCode(code) !== undefined)
    expect(both).toEqual([])
  })

  test("every error of name look-ups", () => {
    expect(dnsCodes.length).toBeGreaterThan(20)
    expect(dnsCodes.filter((code) => networkFailureOfCode(code) === undefined)).toEqual([])
  })
})

describe("the database is lost", () => {
  test("all errors of connecting and of looking up a name", () => {
    for (const code of new Set([...systemCodes, ...dnsCodes])) {
      for (const syscall of ["connect", "getaddrinfo", "queryA", "querySrv"]) {
        expect(failureOf(thrown({ code, syscall })), `${syscall} ${code}`).toBe("lost")
      }
    }
  })

  test.each([
    "ECONNRESET",
    "ECONNABORTED",
    "EPIPE",
    "ETIMEDOUT",
    "ENETRESET",
    "ENOTCONN",
  ])("when a connection ends with %s", (code) => {
    expect(failureOf(thrown({ code, syscall: "read" }))).toBe("lost")
    expect(failureOf(thrown({ code, syscall: "write" }))).toBe("lost")
  })

  test.each([
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ERR_OSSL_EVP_UNSUPPORTED",
    "ERR_TLS_HANDSHAKE_TIMEOUT",
  ])("when TLS fails with %s", (code) => {
    expect(failureOf(thrown({ code }))).toBe("lost")
  })

  test("when each of its addresses fails", () => {
    const each = ["ECONNREFUSED", "ENETUNREACH"].map((code) => thrown({ code, syscall: "connect" }))
    const all = Object.assign(new AggregateError(each), { code: "ECONNREFUSED" })
    expect(failureOf(all)).toBe("lost")
  })
})

test.each([
  ["open", "ENOENT"],
  ["open", "EMFILE"],
  ["read", "EISDIR"],
  ["read", "EIO"],
  ["write", "ENOSPC"],
  ["mkdir", "EACCES"],
  [undefined, "ENOENT"],
])("a file that fails with %s %s is no connection", (syscall, code) => {
  expect(networkFailureOf(thrown({ code, ...(syscall && { syscall }) }))).toBeUndefined()
})
