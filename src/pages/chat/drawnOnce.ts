/** Components that are drawn again only when their props have changed. */
import { Component, type ComponentChildren, createElement, type FunctionComponent } from "preact"

/**
 * Returns the same component, which its parents may draw at no cost. An element that a hook keeps would hold the
 * whole tree in which it was drawn first.
 */
export function drawnOnce<Props extends object>(
  Drawn: FunctionComponent<Props>,
  isSame: (one: Props, other: Props) => boolean = hasSameMembers,
) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(next, this.props)
    }
    override render(): ComponentChildren {
      return createElement(Drawn, this.props)
    }
  }
}

export function hasSameMembers<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as (keyof T)[]).every((name) => one[name] === other[name])
}
