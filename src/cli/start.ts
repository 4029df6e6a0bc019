/** parley start */
import { command } from "./command.ts"

/** Starts the service, as `npm start` does. */
export const startCommand = command({
  name: "start",
  description: "Start the service in the foreground",
  args: {},
  run: async () => {
    // A bundle of its own, so that other commands do not load its code.
    await import(new URL("./server.js", import.meta.url).href)
  },
})
