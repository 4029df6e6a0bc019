/** What stands beside the canvas: the options of a block, variables, theme, settings, findings, history. */

export function SidePanel() {
  return null
}
