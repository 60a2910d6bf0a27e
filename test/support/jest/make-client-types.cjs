const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..', '..');
const TYPES = path.join(ROOT, 'packages', 'client', 'src', 'generated', 'openapi.ts');

/** For `npx jest` in a fresh clone. `npm test` has written them if the source has changed, too. */
module.exports = () => {
  if (existsSync(TYPES)) return;
  execFileSync(process.execPath, [path.join(ROOT, 'scripts', 'client-types.mjs')], { stdio: 'inherit' });
};
