import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package, which stands two folders above, whether this file was compiled or not. */
export const SERVICE_VERSION = (
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }
).version;
