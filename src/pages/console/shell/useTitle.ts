/** Names a view in tabs, windows and the history of the browser, and for screen readers. */
import { useDocumentTitle } from "@mantine/hooks"

/** What distinguishes the view comes first: `useTitle("Results", bot.name)`. */
export function useTitle(...parts: string[]): void {
  useDocumentTitle([...parts, "Parley"].join(" · "))
}
