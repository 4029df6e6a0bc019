/** A part of a view with a heading, what it is for, and its content. */
import { Text, Title } from "@mantine/core"
import { type ReactNode, useId } from "react"
import classes from "./Card.module.css"

type Props = {
  title: string
  /** One sentence below the heading. */
  about?: ReactNode
  /** At the end of the line of the heading. */
  action?: ReactNode
  children: ReactNode
}

export function Card({ title, about, action, children }: Props) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
