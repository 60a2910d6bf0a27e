import { runMigrate } from '../../../src/tools/migrate/migrate.js';

/** `migrate.child.ts <environment as JSON>`: the command in a process that a test may end. */
void runMigrate([], JSON.parse(process.argv[2]!) as Record<string, string>, process).then((status) => {
  process.stdout.write(`status ${status}\n`);
  process.exit(status);
});
