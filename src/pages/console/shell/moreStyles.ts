/** Loads the styles of everything but the first view, once. */

import { patiently } from "./lazily.ts"

let loading: Promise<void> | undefined

/** Loads them along with a view: `.lazy(() => styled(() => import(…)))`. */
export async function styled<Module extends { Route: unknown }>(
  view: () => Promise<Module>,
): Promise<Module["Route"]> {
  // Both wait for a connection: styles that failed once stay away.
  const [{ Route }] = await patiently(() => Promise.all([view(), moreStyles()]))
  return Route
}

/** Resolves when they are there. */
export function moreStyles(): Promise<void> {
  loading ??= load()
  return loading
}

function load(): Promise<void> {
  const link = document.createElement("link")
  link.rel = "stylesheet"
  link.href = document.querySelector<HTMLMetaElement>('meta[name="parley-styles"]')?.content ?? ""
  return new Promise((resolve) => {
    // A view without its styles is better than none.
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
}
