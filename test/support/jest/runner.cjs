const { default: circus } = require('jest-circus/runner');

/** Of what jest loads for each suite anew, what takes the longest by far, and keeps its state in the global object. */
const SHARED = '@jest/expect';

/** jest's own runner, that shares with all suites of a worker what it may. */
module.exports = (globalConfig, config, environment, runtime, ...rest) => {
  const { requireInternalModule } = runtime;
  runtime.requireInternalModule = function (from, name) {
    return name === SHARED
      ? require(require.resolve(name, { paths: [from] }))
      : requireInternalModule.call(this, from, name);
  };
  return circus(globalConfig, config, environment, runtime, ...rest);
};
