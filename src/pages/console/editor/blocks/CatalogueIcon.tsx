/** Draws the icon of a type of block or event. */
import { drawings } from "icons:editor/blocks/catalogueIconNames.ts"
import { Drawing } from "../../shell/Drawing.tsx"

/** `name` is that of the catalogue; one that this page does not know is a box. */
export function CatalogueIcon({ name, size = 18 }: { name: string; size?: number }) {
  return <Drawing content={drawings[name] ?? drawings.box ?? ""} size={size} />
}
