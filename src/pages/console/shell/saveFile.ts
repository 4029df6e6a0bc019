/** Hands a file to the browser, which saves it where downloads go. */

const keptMs = 60_000

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
