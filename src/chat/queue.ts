/** Lets the turns of one session run one after the other in this process, in the order they came. */

/** Runs `turn` when every earlier one under the same key is done, failed or not. */
export type TurnQueue = {
  run<T>(key: string, turn: () => Promise<T>): Promise<T>
  /** Sessions that have a turn now. */
  size(): number
}

export function openTurnQueue(): TurnQueue {
  const last = new Map<string, Promise<unknown>>()
  return {
    size: () => last.size,
    run(key, turn) {
      const before = last.get(key)
      const own = before ? before.then(turn, turn) : turn()
      last.set(key, own)
      const leave = () => {
        if (last.get(key) === own) last.delete(key)
      }
      own.then(leave, leave)
      return own
    },
  }
}
