/** Every reason not to start becomes a sentence with a next step. */
import { expect, test } from "vitest"
import { listen } from "../http/connections/listen.ts"
import { explain } from "./startProblem.ts"

const failure = (facts: object, message = "connect to postgres://me:hunter2@db failed") =>
  Object.assign(new Error(message), facts)

test.each([
  [{ syscall: "listen", code: "EADDRINUSE", port: 3000 }, /Port 3000 is in use.*set PORT/],
  [{ syscall: "listen", code: "EACCES", port: 80 }, /port 80 is not allowed.*PORT.*above 1023/],
  [{ syscall: "listen", code: "EADDRNOTAVAIL", address: "10.9.9.9" }, /10\.9\.9\.9.*set HOST/],
  [{ syscall: "listen", code: "ENOTFOUND" }, /the host failed.*set HOST/],
  [
    { syscall: "listen", code: "EADDRINUSE", address: "/run/p.sock", port: -1 },
    /socket \/run\/p\.sock failed.*set PARLEY_SOCKET/,
  ],
  [
    { syscall: "bind", code: "EADDRINUSE", address: "/run/p.sock", port: -1 },
    /socket \/run\/p\.sock failed.*set PARLEY_SOCKET/,
  ],
  [{ code: "ECONNREFUSED" }, /database does not answer.*DATABASE_URL/],
  [{ code: "ENOTFOUND" }, /database does not answer.*DATABASE_URL/],
  [{ code: "ETIMEDOUT" }, /database does not answer.*DATABASE_URL/],
  [{ code: "ECONNRESET" }, /database does not answer.*DATABASE_URL/],
  [{ code: "ENOENT", syscall: "connect" }, /database does not answer.*DATABASE_URL/],
  [{ code: "28000" }, /refuses the user or the password.*DATABASE_URL/],
  [{ code: "28P01" }, /refuses the user or the password.*DATABASE_URL/],
  [{ code: "3D000" }, /does not exist: create it/],
  [{ code: "25006" }, /is read-only: check that DATABASE_URL names the primary/],
  [{ code: "53100" }, /disk of the database is full: make room/],
  [{ code: "53300" }, /too many connections: raise its max_connections/],
])("reports %j with what to do, and without the address", (facts, words) => {
  expect(explain(failure(facts))).toMatch(words)
  expect(explain(failure(facts))).not.toContain("hunter2")
})

test.each([
  [
    { code: "EMFILE", syscall: "listen" },
    "listen EMFILE: too many open files",
    "`ulimit -n 65536`",
  ],
  [{ code: "ENOSPC" }, "ENOSPC: no space left on device, write", "Make room on that disk."],
  [{ code: "EACCES", path: "/x" }, "EACCES: permission denied, mkdir '/x'", "Let this user read"],
  [{ code: "57P03" }, "the database system is starting up", "check that it runs"],
  [{}, "Connection terminated unexpectedly", "check that it runs"],
  [{}, "Connection terminated due to connection timeout", "check that it runs"],
  [{ code: "42501" }, "permission denied for schema public", "make the user of DATABASE_URL its"],
])("reports %j in its own words and with a fitting remedy", (facts, message, remedy) => {
  const sentence = explain(failure(facts, message))
  expect(sentence).toContain(message)
  expect(sentence).toContain(remedy)
})

test("reports a host that is not found as the one to listen on, not as the database's", async () => {
  const host = "nowhere.invalid"
  const refused = listen({ dispatch: async () => {}, host, port: 0 })
  const sentence = await refused.then(() => "It listens", explain)
  expect(sentence).toMatch(/^Listening on nowhere\.invalid failed \(E\w+\): set HOST to/)
})

test("a sentence that is there already stays as it is", () => {
  expect(explain(new Error("Set PARLEY_DATA."))).toBe("Set PARLEY_DATA.")
  expect(explain("no error at all")).toBe("no error at all")
  expect(explain(new Error("toString"))).toBe("toString")
})

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match certificate's altnames"],
])("reports a certificate of the database that is not trusted, with what to do: %s", (code, message) => {
  const sentence = explain(failure({ code }, message))
  expect(sentence).toContain(`is not trusted (${message}): name the file of its authority by ssl`)
})

test("reports a missing password of the database with where to put it", () => {
  const words = "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"
  expect(explain(new Error(words))).toMatch(/asks for a password: name one in DATABASE_URL/)
})

test.each([
  'no pg_hba.conf entry for host "10.0.0.9", user "me", database "parley", no encryption',
  'pg_hba.conf rejects connection for host "10.0.0.9", user "me", database "parley", no encryption',
  'no pg_hba.conf entry for host "10.0.0.9", user "me", database "parley", SSL off',
])("reports a database that demands TLS as such, not as one that refuses the user: %s", (message) => {
  expect(explain(failure({ code: "28000" }, message))).toMatch(/demands TLS: add sslmode=require/)
})

test("reports a database without TLS with what to do", () => {
  const sentence = explain(new Error("The server does not support SSL connections"))
  expect(sentence).toMatch(/does not take TLS: turn it on.*or remove sslmode/)
})
