/** What `forms.mjs` has to offer. */

type Values = Record<string, unknown>

export function renderForm(schema: object, formData: Values): string
export function fillForm(schema: object, formData: Values): { part: Values; errors: unknown[] }
