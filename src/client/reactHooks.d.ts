/** The hooks of React that are used. Its own types declare empty ones of the browser, for all files of a program. */
declare module "react" {
  type Changed<Value> = Value | ((former: Value) => Value)

  export function useState<Value>(): [Value | undefined, (next: Changed<Value | undefined>) => void]
  export function useState<Value>(initial: Value): [Value, (next: Changed<Value>) => void]
  export function useMemo<Value>(make: () => Value, depends: readonly unknown[]): Value
  export function useCallback<Callback>(callback: Callback, depends: readonly unknown[]): Callback
  export function useEffect(effect: () => () => void, depends: readonly unknown[]): void
  export function useSyncExternalStore<Value>(
    subscribe: (listener: () => void) => () => void,
    read: () => Value,
  ): Value
}
