/** parley draw */
import { drawFlow } from "../authoring/draw/drawFlow.ts"
import { readFlowFile } from "./botFile.ts"
import { command, fileArg, print } from "./command.ts"

export const drawCommand = command({
  name: "draw",
  description: "Print a bot as a Mermaid flowchart",
  args: { file: fileArg },
  run: async ({ file }) => print(drawFlow(await readFlowFile(file)).trimEnd()),
})
