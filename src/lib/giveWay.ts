/** Lets the thread that serves requests go first. */
import { platform, setPriority } from "node:os"

/**
 * Lowers the priority of the calling thread, where the system has one for each thread: on a machine whose
 * cores are all busy, work in the background gets what requests leave.
 */
export function giveWay(): void {
  if (platform() === "linux") setPriority(0, 10)
}
