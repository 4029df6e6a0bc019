/** Keeps the address of the running service in a file of the data folder, for commands. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** Records where the service listens. Does nothing if the data folder cannot be written. */
export async function writeAddress(dataFolder: string, address: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true })
    await writeFile(pathIn(dataFolder), `${reachable(address)}\n`)
  } catch {
    // Commands then have to name the address.
  }
}

/** Removes the address, unless another service has recorded its own, or the data folder can no longer be written. */
export async function removeAddress(dataFolder: string, address: string): Promise<void> {
  if ((await readAddress(dataFolder)) !== reachable(address)) return
  // Commands find that nobody answers there.
  await rm(pathIn(dataFolder), { force: true }).catch(() => {})
}

/** Reads the address. Returns undefined if no service runs on this data folder, or not on the web. */
export async function readAddress(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(pathIn(dataFolder), "utf8").catch(() => "")
  return /^https?:\/\/\S+/.exec(text)?.[0]
}

/** The address, or one that can be called if it stands for all addresses of this machine. */
export function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}

function pathIn(dataFolder: string): string {
  return join(dataFolder, "address")
}
