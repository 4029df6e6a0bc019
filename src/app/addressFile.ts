/** The address of the running service, in a file of the data folder, for commands beside it. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** Remembers where the service listens. A data folder that cannot be written is left alone. */
export async function writeAddress(dataFolder: string, address: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true })
    await writeFile(pathIn(dataFolder), `${reachable(address)}\n`)
  } catch {
    // Commands then have to name the address.
  }
}

/** Forgets it when the service stops, unless another one has taken its place. */
export async function removeAddress(dataFolder: string, address: string): Promise<void> {
  if ((await readAddress(dataFolder)) !== reachable(address)) return
  await rm(pathIn(dataFolder), { force: true })
}

/** Reads it. Returns undefined when no service runs on this data folder, or it has no address of the web. */
export async function readAddress(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(pathIn(dataFolder), "utf8").catch(() => "")
  return /^https?:\/\/\S+/.exec(text)?.[0]
}

/** An address that can be called, for one that means all addresses of this machine. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}

function pathIn(dataFolder: string): string {
  return join(dataFolder, "address")
}
