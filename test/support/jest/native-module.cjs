/** Hands a module to Node's own loader in place of jest's registry, which would evaluate it once for each suite. */
module.exports = {
  process: (_source, path) => ({
    code: `module.exports = globalThis[Symbol.for('storage-access.native-require')](${JSON.stringify(path)});`,
  }),
  getCacheKey: (_source, path) => `${require('node:crypto').createHash('md5').update(path).digest('hex')}-1`,
};
