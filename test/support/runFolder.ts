/**
 * Where the files of a run are: in memory where there is room, else where temporary files usually are.
 * Every database is 640 small files that live for seconds: making one takes 0.02 s in memory, and 0.02 to
 * 0.3 s on an ext4 disk, nearly all of it in the kernel.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inMemory = "/dev/shm"
/** Says where `tmpdir()` is. */
const variable = process.platform === "win32" ? "TEMP" : "TMPDIR"
/** Twice what a run has there at once. */
const roomBytes = 3 * 2 ** 30

/** Called by vitest before all other setups: what runs in this or another process finds `tmpdir()` moved. */
export function setup(): () => Promise<void> {
  const before = process.env[variable]
  const isMoved = before === undefined && isRoomy(inMemory) && runsPrograms(inMemory)
  const folder = makeFolder(isMoved ? inMemory : tmpdir())
  process.env[variable] = folder
  return async () => {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
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
  const own = makeFolder(folder)
  const program = join(own, "program")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(own, { recursive: true })
  return status === 0
}
