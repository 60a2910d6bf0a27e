const { existsSync, statfsSync } = require('node:fs');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');
require('../../../scripts/run-typescript.cjs');

const MEMORY = '/dev/shm';
/** Bytes. Far more than all stores of a run hold at once. */
const ROOM = 4 * 1024 ** 3;

/** Campaigns keep their folders on the disk: they play its waits. */
function mayBeInMemory() {
  if (process.env.TMPDIR !== undefined || process.env.CAMPAIGN_SEED !== undefined || !existsSync(MEMORY))
    return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}

// The suites open hundreds of stores. Each would wait for the disk.
if (mayBeInMemory()) process.env.TMPDIR = MEMORY;

/** Stands for Node's own realm where jest asks for a `vm` context. */
const HERE = {};
const OF_PACKAGE = /[\\/]node_modules[\\/]/;
/** Compiled packages by file. jest evaluates them for each suite; they are compiled once. */
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
  if (options?.parsingContext !== HERE) return compileFunction(code, parameters, options);
  const known = compiled.get(options.filename);
  if (known !== undefined) return known;
  const made = compileFunction(code, parameters, { ...options, parsingContext: undefined });
  if (OF_PACKAGE.test(options.filename)) compiled.set(options.filename, made);
  return made;
};

globalThis[Symbol.for('storage-access.native-require')] = require;

/** jest-circus keeps the state of a suite under these names. */
const OF_CIRCUS = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+)$/;

/**
 * Runs tests in Node's own realm instead of a `vm` context. The service is loaded as in production, once for each worker
 * (native-module.cjs). It saves seven tenths of the processor time of `npm test` (docs/adr/0011).
 * A suite that changes a global object or a module must restore it.
 */
module.exports = class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;
  // jest wraps both for each suite.
  #process = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };

  getVmContext() {
    return HERE;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    for (const name of Object.getOwnPropertySymbols(globalThis))
      if (OF_CIRCUS.test(name.description)) delete globalThis[name];
    globalThis.console = this.#console;
    Object.assign(process, this.#process);
  }
};
