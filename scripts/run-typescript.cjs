/**
 * Lets plain node run the project's TypeScript, for the tests and the child processes that they start:
 * `node -r scripts/run-typescript.cjs script.ts`. Works on Node 20 and later.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { version } = require('@swc/core/package.json');
const swcOptions = require('./swc-options.cjs');

const CACHE = path.join(__dirname, '..', 'node_modules', '.cache', 'typescript');
const optionsOf = (filename) => ({ ...swcOptions(filename), sourceMaps: 'inline' });
const fixed = JSON.stringify([version, optionsOf('.ts')]);
fs.mkdirSync(CACHE, { recursive: true });

// Replaced rather than left alone: newer versions of Node bring a loader of their own, which strips types but leaves
// decorators and the `.js` specifiers as they are.
for (const extension of ['.ts', '.tsx']) {
  require.extensions[extension] = (module, filename) => {
    module._compile(compiled(filename), filename);
  };
}

/** From the cache where the file is what it was: whole processes are made of this. */
function compiled(filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const hash = createHash('sha256').update(`${fixed}\n${filename}\n${source}`).digest('hex');
  const cached = path.join(CACHE, `${hash.slice(0, 32)}.js`);
  try {
    return fs.readFileSync(cached, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...optionsOf(filename), filename });
    // Renamed into place: another process may read it at this moment, and a killed one may leave half a file.
    fs.writeFileSync(`${cached}.${process.pid}`, code);
    fs.renameSync(`${cached}.${process.pid}`, cached);
    return code;
  }
}

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && /\.tsx?$/.test(parent?.filename ?? '');
  if (isOurs) {
    const named = path.resolve(path.dirname(parent.filename), request);
    const source = ['.ts', '.tsx']
      .map((end) => named.replace(/\.js$/, end))
      .find((file) => fs.existsSync(file));
    if (source !== undefined) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};
