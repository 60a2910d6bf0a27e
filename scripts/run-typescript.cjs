/**
 * Lets Node 20 and later run the project's TypeScript, for tests and their child processes:
 * `node -r scripts/run-typescript.cjs script.ts`.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { version } = require('@swc/core/package.json');
const swcOptions = require('./swc-options.cjs');

const CACHE = path.join(__dirname, '..', 'node_modules', '.cache', 'typescript');
/** `#wing/file.js` is a file of this folder. For the compiled service, `imports` of package.json says so. */
const SOURCE = path.join(__dirname, '..', 'src');
const optionsOf = (filename) => ({ ...swcOptions(filename), sourceMaps: 'inline' });
const fixed = JSON.stringify([version, optionsOf('.ts')]);
fs.mkdirSync(CACHE, { recursive: true });

// This replaces the loader of newer versions of Node, which handles neither decorators nor `.js` specifiers.
for (const extension of ['.ts', '.tsx']) {
  require.extensions[extension] = (module, filename) => {
    module._compile(compiled(filename), filename);
  };
}

/** Takes the code from a cache if the source has not changed. A process loads many files. */
function compiled(filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const hash = createHash('sha256').update(`${fixed}\n${filename}\n${source}`).digest('hex');
  const cached = path.join(CACHE, `${hash.slice(0, 32)}.js`);
  try {
    return fs.readFileSync(cached, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...optionsOf(filename), filename });
    // A rename is atomic: another process never reads half a file.
    fs.writeFileSync(`${cached}.${process.pid}`, code);
    fs.renameSync(`${cached}.${process.pid}`, cached);
    return code;
  }
}

/** The package of the client exports what packing makes of these sources. */
const CLIENT = path.join(__dirname, '..', 'packages', 'client', 'src', 'index.ts');

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  if (request === 'storage-access-client') return CLIENT;
  const isOurs = /^(\.{1,2}\/|#).*\.js$/.test(request) && /\.tsx?$/.test(parent?.filename ?? '');
  if (isOurs) {
    const named = request.startsWith('#')
      ? path.join(SOURCE, request.slice(1))
      : path.resolve(path.dirname(parent.filename), request);
    const source = ['.ts', '.tsx']
      .map((end) => named.replace(/\.js$/, end))
      .find((file) => fs.existsSync(file));
    if (source !== undefined) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};
