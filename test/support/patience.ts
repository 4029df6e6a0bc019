/**
 * How long a test waits for what must happen, in milliseconds: long, since the machine may be busy with
 * other work, and shorter than a test may run, so that a failure says what did not happen.
 */
export const maxMs = 240_000

/** The same for `vi.waitFor` and `expect.poll`. */
export const patiently = { timeout: maxMs, interval: 20 }
