/** Starts the service in the foreground: `npm start`. */
import { requireNode } from "./requireNode.mjs"

// Loaded only then: old releases of Node cannot read it.
if (requireNode()) import("./freshDist.mjs").then(({ runFresh }) => runFresh("server"))
