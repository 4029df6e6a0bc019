#!/usr/bin/env node
/** The command line: `parley <command>`. */
import { runFresh } from "./freshDist.mjs"

await runFresh("cli")
