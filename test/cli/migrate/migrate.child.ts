import { runCommandLine } from '#cli/command-line.js';

/** `migrate.child.ts <environment as JSON>`: the command in a process that a test may end. */
const variables = JSON.parse(process.argv[2]!) as Record<string, string>;
void runCommandLine(['migrate'], variables, process).then((status) => {
  process.stdout.write(`status ${status}\n`);
  process.exit(status);
});
