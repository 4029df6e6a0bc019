/** Bounds the total size of the answers to one request. */
import { type AppError, tooLarge } from "../../lib/errors.ts"
import { createInOrder } from "../../lib/inOrder.ts"
import { createRoom, maxBytes } from "../../lib/responseSize.ts"

export type Batch = ReturnType<typeof createBatch>

/** One after the other, so that no more than one is over the bound, and none is made for nothing. */
export function createBatch(most?: number) {
  const room = createRoom(most)
  const inOrder = createInOrder()
  let hasConstant = false
  return {
    /**
     * Makes a call when those before it are done; throws a 413 instead when they have filled the answer. Of
     * calls whose answers never change, one is made: others are asked for without a stream, where they cost nothing.
     */
    take<Answer>(call: () => Promise<Answer>, isConstant = false): Promise<Answer> {
      const isFilled = isConstant && hasConstant
      hasConstant ||= isConstant
      return inOrder(async () => {
        if (isFilled || room.isFull()) throw batchIsFull()
        const answer = await call()
        room.takes(answer)
        return answer
      })
    },
  }
}

export function batchIsFull(): AppError {
  return tooLarge(
    "The answers of the calls before this one fill the batch. It was not made: send it in another request",
    maxBytes,
  )
}
