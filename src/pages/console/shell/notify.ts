/** Shows short notices in the corner. What shows them is loaded with the first one. */
import { closeTexts } from "./closeTexts.ts"
import { moreStyles } from "./moreStyles.ts"
import { sentenceOf } from "./Problem.tsx"
import { textsNow } from "./texts.ts"

export type Notice = {
  message: string
  /** Absent: something was done. */
  isProblem?: boolean
}

export async function notify({ message, isProblem = false }: Notice): Promise<void> {
  const [{ show }] = await Promise.all([import("./notices.tsx"), moreStyles()])
  const closeButtonProps = { "aria-label": textsNow(closeTexts).close }
  show({ message, closeButtonProps, ...(isProblem && { color: "red", autoClose: 10_000 }) })
}

/** Reports an error of something that was tried beside the view: for `onError` of mutations. */
export function reportProblem(error: unknown): void {
  void notify({ message: sentenceOf(error), isProblem: true })
}
