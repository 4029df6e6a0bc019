/** Draws icons. */
import { drawings } from "icons:shell/iconNames.ts"
import { Drawing } from "./Drawing.tsx"
import type { IconName } from "./iconNames.ts"

/** An icon of the console; those of blocks are `CatalogueIcon`. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return <Drawing content={drawings[name] ?? ""} size={size} />
}
