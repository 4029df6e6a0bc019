#!/usr/bin/env node
/** The command line: `parley <command>`. */
import { requireNode } from "./requireNode.mjs"

// Loaded only then: old releases of Node cannot read it.
if (requireNode()) import("./freshDist.mjs").then(({ runFresh }) => runFresh("cli"))
