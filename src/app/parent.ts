/** Notices when the runner of a package script that started this process has ended. */
import { isAlive } from "../postgres/lock.ts"

const pollMs = 250

/**
 * Calls once if the parent is the shell of a package runner (npm, pnpm, yarn) and has ended: a
 * supervisor stops the runner, whose shell does not pass the signal on. Other parents may end, such as
 * the terminal that started a service for good.
 */
export function onRunnerGone(
  variables: Readonly<Record<string, string | undefined>>,
  { isGone = isParentGone(), call }: { isGone?: () => boolean; call: () => void },
): void {
  if (!variables.npm_lifecycle_event) return
  const timer = setInterval(() => {
    if (!isGone()) return
    clearInterval(timer)
    call()
  }, pollMs).unref()
}

function isParentGone(): () => boolean {
  const parent = process.ppid
  // Orphans get another parent, except on Windows, which keeps naming the one that is gone.
  return () => process.ppid !== parent || (process.platform === "win32" && !isAlive(parent))
}
