/** The remedy fits what PostgreSQL, the C library or Node complain of. */
import { expect, test } from "vitest"
import { remedyFor } from "./remedies.ts"

test.each([
  ["insufficient file descriptors available to start server process", /`ulimit -n 65536`/],
  ['could not open file "base/1/2601": Too many open files', /`ulimit -n 65536`/],
  ["spawnSync /bin/sh EMFILE", /`ulimit -n 65536`/],
  ['could not write to file "pg_wal/xlogtemp.6324": No space left on device', /^Make room/],
  ["ENOSPC: no space left on device, copyfile '/a' -> '/b'", /^Make room/],
  ['could not extend file "base/5/1": Disk quota exceeded', /^Make room/],
  [
    'could not resize shared memory segment "/PostgreSQL.7" to 8 bytes: No space left on device',
    /^Give \/dev\/shm more room/,
  ],
  ["could not map anonymous shared memory: Cannot allocate memory", /memory/],
  ["could not fork: Resource temporarily unavailable", /`ulimit -u`/],
  ['could not create directory "/x/postgres": Permission denied', /^Let this user/],
  ["EACCES: permission denied, mkdir '/x/data'", /^Let this user.*PARLEY_DATA/],
  ["EROFS: read-only file system, mkdir '/x/data'", /^Let that disk.*PARLEY_DATA/],
  ["EEXIST: file already exists, mkdir '/x/file'", /^Set PARLEY_DATA/],
  ['data directory "/x/postgres" has invalid permissions', /chmod 700/],
  ['data directory "/x/postgres" has wrong ownership', /chown/],
  ["could not locate a valid checkpoint record at 0/1A294C0", /restore a backup/],
])("%s", (reason, remedy) => {
  expect(remedyFor(reason)).toMatch(remedy)
  expect(remedyFor(reason)).not.toContain("DATABASE_URL")
})

test("unknown problems have no remedy", () => {
  expect(remedyFor('invalid value for parameter "shared_buffers": "nonsense"')).toBeUndefined()
  expect(remedyFor('could not access "/x/postgresql.conf": No such file')).toBeUndefined()
})
