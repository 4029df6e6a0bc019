/** Runs work one after the other; failures do not stop later work. */
export type InOrder = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
