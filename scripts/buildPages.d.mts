/** Bundles what browsers load into dist/pages; returns the sizes of the files in bytes, by name. */
export function buildPages(): Promise<Record<string, number>>
