import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package is two folders above, both for the source and for the compiled file. */
export const SERVICE_VERSION = (
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }
).version;
