/** What the address of the list of bots says: the folder, what is searched, and the order. */

export const botOrders = ["updatedAt", "createdAt", "name"] as const

export type BotOrder = (typeof botOrders)[number]

export type BotsSearch = {
  /** Id of a folder; absent: the root. */
  folder?: string
  /** Searches the whole workspace. */
  q?: string
  /** Absent: the first of `botOrders`. */
  sort?: BotOrder
}

export function readBotsSearch(search: Record<string, unknown>): BotsSearch {
  const { folder, q } = search
  const sort = botOrders.find((each) => each === search.sort && each !== botOrders[0])
  return {
    ...(typeof folder === "string" && folder !== "" && { folder }),
    ...(typeof q === "string" && q !== "" && { q }),
    ...(sort && { sort }),
  }
}
