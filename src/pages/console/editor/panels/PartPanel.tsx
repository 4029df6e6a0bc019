/** The form of the theme or the settings, section by section. */
import { Accordion } from "@mantine/core"
import { editsBetween } from "@parley/client/edit"
import { useCatalogue } from "../../shell/useCatalogue.ts"
import { FormProvider } from "../blocks/blockForm.ts"
import { membersOf, type Path, type Schema, valueAt } from "../blocks/blockSchema.ts"
import { Field } from "../blocks/fields/Field.tsx"
import { ObjectField } from "../blocks/fields/ObjectField.tsx"
import { useDelayedChanges } from "../blocks/useDelayedChanges.ts"
import { type Bot, useEditing } from "../editing.ts"
import classes from "./SidePanel.module.css"

/** Shows the members of a part of the bot; those of an object are a section of their own. */
export function PartPanel({ part }: { part: "theme" | "settings" }) {
  const { bot, edit, mayEdit } = useEditing()
  const catalogue = useCatalogue()
  const { value, change, flush } = useDelayedChanges(
    bot[part],
    (next: Bot[typeof part], former = bot[part]) => {
      const before = { ...bot, [part]: former }
      edit(editsBetween(before, { ...bot, [part]: next }), editsBetween(bot, before))
    },
  )
  const sections = sectionsOf(catalogue[part] as Schema)
  return (
    <FormProvider value={{ value, isReadOnly: !mayEdit, Field, change, flush }}>
      <Accordion
        multiple
        variant="filled"
        chevronPosition="left"
        classNames={{
          item: classes.item ?? "",
          control: classes.control ?? "",
          label: classes.label ?? "",
        }}
      >
        {sections.map(({ path, schema }) => {
          const own = valueAt(value, path)
          return (
            <Accordion.Item key={path.join(".")} value={path.join(".")}>
              <Accordion.Control>{schema.title}</Accordion.Control>
              <Accordion.Panel>
                <fieldset className={classes.fields} disabled={!mayEdit} onBlur={flush}>
                  {schema.properties ? (
                    <ObjectField
                      schema={schema}
                      path={path}
                      value={own}
                      label=""
                      isRequired={false}
                      isInRow
                      onChange={(next) => change(path, next)}
                    />
                  ) : (
                    <Field schema={schema} path={path} value={own} />
                  )}
                </fieldset>
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
    </FormProvider>
  )
}

/** The members of a part; the chat of a theme is so large that each of its own is a section. */
function sectionsOf(schema: Schema): { path: Path; schema: Schema }[] {
  return membersOf(schema).flatMap((member) =>
    member.name === "chat"
      ? membersOf(member.schema).map((each) => ({ path: ["chat", each.name], schema: each.schema }))
      : [{ path: [member.name], schema: member.schema }],
  )
}
