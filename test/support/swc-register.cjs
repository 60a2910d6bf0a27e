/**
 * Lets plain node run the project's TypeScript, for the child processes that tests start:
 * `node -r test/support/swc-register.cjs script.ts`. Works on Node 20 and later.
 */
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  // The nearest .swcrc, of whatever folder the child runs in, is none of ours.
  swcrc: false,
};

// Replaced rather than left alone: newer versions of Node bring a loader of their own, which strips types but leaves
// decorators and the `.js` specifiers as they are.
require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), { ...options, filename });
  module._compile(code, filename);
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts');
  if (isOurs) {
    const source = path.resolve(path.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
    if (fs.existsSync(source)) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};
