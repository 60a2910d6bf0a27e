#!/usr/bin/env node
import { runCommandLine } from './cli/command-line.js';

void runCommandLine(process.argv.slice(2), process.env, process).then((status) => {
  // What was printed must have left before the process ends; a reader that went away needs nothing more.
  process.stdout.once('error', () => process.exit(status));
  process.stdout.write('', () => process.exit(status));
});
