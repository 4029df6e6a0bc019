/** The flow as its author has laid it out. */

export function Canvas() {
  return <div />
}
