const { isBuiltin } = require('node:module');
const { default: circus } = require('jest-circus/runner');

/**
 * jest's own runner. What it loads for each suite anew to hold that suite's state is one module; the packages that this is
 * made of keep none outside the global object, and all suites of a worker share them.
 */
module.exports = (globalConfig, config, environment, runtime, ...rest) => {
  const { requireInternalModule } = runtime;
  runtime.requireInternalModule = function (from, name) {
    const isPackage = name !== undefined && !isBuiltin(name);
    return isPackage
      ? require(require.resolve(name, { paths: [from] }))
      : requireInternalModule.call(this, from, name);
  };
  return circus(globalConfig, config, environment, runtime, ...rest);
};
