#!/usr/bin/env node
/** The command line: `parley <command>`. */
import { runFresh } from "./freshDist.mjs"

// Decided before the bundle is loaded, parts of which look only once.
if (!process.stdout.isTTY || !process.stderr.isTTY) process.env.NO_COLOR = "1"

await runFresh("cli")
