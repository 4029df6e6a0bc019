/**
 * Makes forms of JSON Schema by a library that knows nothing of this service. It is no TypeScript, because the
 * types of React would give all tests elements of pages that have no members.
 */
import Form from "@rjsf/core"
import { customizeValidator } from "@rjsf/validator-ajv8"
import { Ajv2020 } from "ajv/dist/2020.js"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"

const validator = customizeValidator({ AjvClass: Ajv2020 })

/** The HTML of a form that is opened with these values. */
export function renderForm(schema, formData) {
  return renderToStaticMarkup(createElement(Form, { schema, validator, formData }))
}

/** What comes out of that form, and what it complains of. */
export function fillForm(schema, formData) {
  const { state } = new Form({ schema, validator, formData, liveValidate: true })
  return { part: state.formData, errors: state.errors }
}
