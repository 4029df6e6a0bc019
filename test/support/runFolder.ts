/**
 * Where the files of a run are: in memory where there is room, else where temporary files usually are.
 * Every database is 640 small files that live for seconds: making one takes 0.02 s in memory, and 0.1 to
 * 0.3 s on an ext4 disk, which avoids whatever was deleted there a moment ago.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, statfsSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inMemory = "/dev/shm"
/** Twice what a run has there at once. */
const roomBytes = 3 * 2 ** 30

/** Called by vitest before all other setups: what runs in this or another process finds `tmpdir()` moved. */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const isMoved = before === undefined && isRoomy(inMemory)
  let folder = makeFolder(isMoved ? inMemory : tmpdir())
  if (isMoved && !runsPrograms(folder)) {
    await rm(folder, { recursive: true })
    folder = makeFolder(tmpdir())
  }
  process.env.TMPDIR = folder
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether memory is there, on the machine and in the folder: containers often give that one 64 MB. */
function isRoomy(folder: string): boolean {
  if (!existsSync(folder) || process.availableMemory() < 2 * roomBytes) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > roomBytes
}

function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "parley-test-"))
  // Open to all, as /tmp is: when the tests run as root, other accounts run what they start.
  chmodSync(folder, 0o1777)
  return folder
}

/** Whether files can be executed there, as PostgreSQL and the browser are. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  return spawnSync(program).status === 0
}
