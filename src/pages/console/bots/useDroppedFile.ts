/** Files that people drop on a view. */
import { type DragEvent, useState } from "react"

export function useDroppedFile(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files")
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      const [file] = event.dataTransfer.files
      if (file) onFile(file)
    },
  }
  return { isOver, handlers }
}
