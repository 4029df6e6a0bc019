/** Combines abort signals, and keeps them referenced. */

const kept = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * As `AbortSignal.any`, whose result holds its signals only weakly in Node 20: an unreferenced timeout is
 * garbage-collected and never fires.
 */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  const any = AbortSignal.any(signals)
  kept.set(any, signals)
  return any
}
