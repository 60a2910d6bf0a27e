#!/usr/bin/env -S node --max-semi-space-size=64
import { runCommandLine } from './cli/command-line.js';
import { hasLowNumber, runAgain } from './cli/process-number.js';

const ended = hasLowNumber() ? runAgain() : runCommandLine(process.argv.slice(2), process.env, process);

void ended.then((status) => {
  // The output must have left before the process ends. A reader that went away needs no more.
  process.stdout.once('error', () => process.exit(status));
  process.stdout.write('', () => process.exit(status));
});
