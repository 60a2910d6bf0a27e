/**
 * How the project's TypeScript becomes JavaScript wherever tests run it; `tsc` checks it and builds what is shipped.
 * @param {string} filename one that ends in `.tsx` holds markup
 */
module.exports = (filename) => ({
  jsc: {
    parser: { syntax: 'typescript', tsx: filename.endsWith('.tsx'), decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  // The nearest .swcrc, of whatever folder a process runs in, is none of ours.
  swcrc: false,
});
