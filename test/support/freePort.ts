/** Finds a port for a service that must know its own address before it listens. */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * Below the ports that systems give to outgoing connections (32768 on Linux, 49152 elsewhere): one of
 * those may be taken by any connection before the service listens on it.
 */
const [lowest, highest] = [15_000, 32_000]

/** A port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
}
