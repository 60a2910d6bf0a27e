const { isBuiltin } = require('node:module');
const { default: circus } = require('jest-circus/runner');

/**
 * Where circus keeps the running test, to tell whose an error is that nobody handles. An `AsyncLocalStorage` would make every
 * promise of what is tested dearer. The tests of a suite run one after the other: an error that comes after its test has
 * ended fails the one that is running by then, if any, and the suite otherwise.
 */
class RunningTest {
  #running;

  getStore() {
    return this.#running;
  }

  async run(test, work) {
    const before = this.#running;
    this.#running = test;
    try {
      return await work();
    } finally {
      this.#running = before;
    }
  }
}

/**
 * jest's own runner. What it loads for each suite anew to hold that suite's state is one module; the packages that this is
 * made of keep none outside the global object, and all suites of a worker share them. Nobody is told of each test as it begins
 * and ends, but of the suite: that took two messages to another process for each.
 */
module.exports = (globalConfig, config, environment, runtime, path) => {
  const { requireInternalModule } = runtime;
  runtime.requireInternalModule = function (from, name) {
    if (name === 'node:async_hooks') return { AsyncLocalStorage: RunningTest };
    const isPackage = name !== undefined && !isBuiltin(name);
    return isPackage
      ? require(require.resolve(name, { paths: [from] }))
      : requireInternalModule.call(this, from, name);
  };
  return circus(globalConfig, config, environment, runtime, path);
};
