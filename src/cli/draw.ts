/** parley draw */
import { drawFlow } from "../authoring/draw/drawFlow.ts"
import { readFlowFile } from "./botFile.ts"
import { command, print } from "./command.ts"

/** Draws a bot from a file. */
export const drawCommand = command({
  name: "draw",
  description: "Print a bot as a Mermaid flowchart",
  args: {
    file: {
      type: "positional",
      description: "File with the bot; - is standard input",
      required: true,
    },
  },
  run: async ({ file }) => print(drawFlow(await readFlowFile(file)).trimEnd()),
})
