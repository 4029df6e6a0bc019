/** The parts of a view, in one line that scrolls where it is too long. */
import { Tabs } from "@mantine/core"
import { useEffect, useRef } from "react"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./iconNames.ts"
import classes from "./ViewTabs.module.css"

type Props = {
  label: string
  value: string
  tabs: readonly { value: string; name: string; icon: IconName }[]
}

export function ViewTabs({ label, value, tabs }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone, the one that is open may be out of sight.
    const tab = list.current?.querySelector(`[data-part="${value}"]`)
    tab?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [value])
  return (
    <Tabs.List ref={list} mb="lg" className={classes.list} aria-label={label}>
      {tabs.map(({ value: each, name, icon }) => (
        <Tabs.Tab
          key={each}
          value={each}
          data-part={each}
          className={classes.tab}
          leftSection={<Icon name={icon} size={16} />}
        >
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
