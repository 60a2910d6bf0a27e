/**
 * The options with which tests compile TypeScript. `tsc` checks the types, and builds the released code.
 * @param {string} filename a file that ends in `.tsx` may contain JSX
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
  // Ignore a .swcrc in the folder of the process.
  swcrc: false,
});
