/** Parts that are loaded when they are first shown, also while the browser is offline. */
import { type ComponentType, lazy } from "react"

/** `const Panel = lazily(() => import("./Panel.tsx").then((it) => it.Panel))` */
// biome-ignore lint/suspicious/noExplicitAny: props of any kind, as React's own `lazy` takes them.
export function lazily<Part extends ComponentType<any>>(load: () => Promise<Part>) {
  return lazy(async () => ({ default: await patiently(load) }))
}

/** A part could not be loaded: browsers give the same answer until the page is loaded anew. */
export class NotLoaded extends Error {}

/** Loads something as soon as the browser is online. Throws `NotLoaded`. */
export async function patiently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  if (!navigator.onLine)
    await new Promise((resolve) => addEventListener("online", resolve, { once: true }))
  try {
    return await load()
  } catch (cause) {
    throw new NotLoaded("The part could not be loaded", { cause })
  }
}
