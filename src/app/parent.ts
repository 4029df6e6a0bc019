/** Notices that the runner of a package script, which started this process, has ended. */

const pollMs = 250

/**
 * Calls once when the parent is gone, if that is the shell of a package runner (npm, pnpm, yarn): a
 * supervisor stops the runner, and its shell does not pass the signal on. Other parents may end, as
 * the terminal does that started a service for good.
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
  // Elsewhere orphans are given another parent; Windows goes on naming the one that is gone.
  return () => process.ppid !== parent || (process.platform === "win32" && !exists(parent))
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
