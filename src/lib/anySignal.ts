/** Combines signals, and keeps them. */

const kept = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * As `AbortSignal.any`, whose result holds its signals only weakly in Node 20: a time limit that nobody else
 * holds is collected, and never comes.
 */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  const any = AbortSignal.any(signals)
  kept.set(any, signals)
  return any
}
