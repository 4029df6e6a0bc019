/** Starts the service in the foreground: `npm start`. */
import { runFresh } from "./freshDist.mjs"

await runFresh("server")
