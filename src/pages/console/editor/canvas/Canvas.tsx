/** The flow as its author has laid it out; on a phone, as a list. */
import { useMediaQuery } from "@mantine/hooks"
import { ReactFlowProvider } from "@xyflow/react"
import { EditorHeader } from "./EditorHeader.tsx"
import { Flow } from "./Flow.tsx"
import { FlowList } from "./FlowList.tsx"

export function Canvas() {
  const isPhone = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false })
  return (
    <>
      <EditorHeader />
      {isPhone ? (
        <FlowList />
      ) : (
        <ReactFlowProvider>
          <Flow />
        </ReactFlowProvider>
      )}
    </>
  )
}
