#!/usr/bin/env -S node --max-semi-space-size=64
import { runCommandLine } from '#cli/command-line.js';
import { hasLowNumber, runAgain } from '#cli/process-number.js';

const ended = hasLowNumber() ? runAgain() : runCommandLine(process.argv.slice(2), process.env, process);

void ended.then((status) => {
  // Wait until the output is written. If its reader has gone, there is nothing to wait for.
  process.stdout.once('error', () => process.exit(status));
  process.stdout.write('', () => process.exit(status));
});
