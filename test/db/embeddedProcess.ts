/** A process that holds an embedded server for the folder it is given: prints a line, then waits. */
import { startEmbedded } from "../../src/postgres/startEmbedded.ts"

const dataFolder = process.argv[2] ?? ""
try {
  const server = await startEmbedded({ dataFolder, durable: false })
  console.log(server.isOwner() ? "started" : "adopted")
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
setInterval(() => {}, 60_000)
