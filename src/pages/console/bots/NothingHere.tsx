/** What stands in the place of a list without entries: why, and what to do first. */
import type { ReactNode } from "react"
import { Icon } from "../shell/Icon.tsx"
import type { IconName } from "../shell/iconNames.ts"
import classes from "./BotsPage.module.css"

type Props = { icon: IconName; title: string; why?: string; children?: ReactNode }

export function NothingHere({ icon, title, why, children }: Props) {
  return (
    <div className={classes.nothing}>
      <span className={classes.nothingIcon}>
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {why !== undefined && <p>{why}</p>}
      {children && <div className={classes.nothingActions}>{children}</div>}
    </div>
  )
}
