/** Removes types and source maps from a node_modules folder: `node scripts/slim-modules.mjs FOLDER`. Licences stay. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NEVER_RUN = /\.(?:map|[cm]?ts|tsbuildinfo|flow)$/;

for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true }))
  if (entry.isFile() && NEVER_RUN.test(entry.name)) rmSync(join(entry.parentPath ?? entry.path, entry.name));
