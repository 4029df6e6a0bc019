/** Says what to do about an embedded server that does not start. */

/** An error whose message already says what to do. */
export class AdvisedError extends Error {}

// The wording of PostgreSQL and the C library, and the error codes in Node's messages. The first match
// counts.
const remedies: readonly [words: RegExp, remedy: string][] = [
  [
    /\b(?:EMFILE|ENFILE)\b|too many open files|insufficient file descriptors/i,
    "Raise the limit of open files: `ulimit -n 65536` in a shell, LimitNOFILE in a unit of systemd.",
  ],
  [
    /shared memory segment.*no space left/i,
    "Give /dev/shm more room: `--shm-size` or `shm_size` in a container.",
  ],
  [/\b(?:ENOSPC|EDQUOT)\b|no space left|quota exceeded/i, "Make room on that disk."],
  [/\bENOMEM\b|cannot allocate memory|out of memory/i, "Make more memory available."],
  [/\bEAGAIN\b|resource temporarily/i, "Raise the limit of processes: see `ulimit -u`."],
  [
    /\bEROFS\b|read-only file system/i,
    "Let that disk be written to, or set PARLEY_DATA to a folder on another one.",
  ],
  [
    /\b(?:EACCES|EPERM)\b|permission denied|not permitted/i,
    "Let this user read and write there, or set PARLEY_DATA to a folder of its own.",
  ],
  [/invalid permissions/i, "Close that folder to others: `chmod 700`."],
  [/wrong ownership/i, "Give that folder back to the user who owned it: `chown -R`."],
  [/\b(?:EEXIST|ENOTDIR|ENOENT)\b.*mkdir/, "Set PARLEY_DATA to a folder that can be made."],
  [/valid checkpoint/i, "The data is damaged: restore a backup into a new PARLEY_DATA."],
]

/** A sentence with the remedy that fits the reason of a failure; undefined if none is known. */
export function remedyFor(reason: string): string | undefined {
  return remedies.find(([words]) => words.test(reason))?.[1]
}
