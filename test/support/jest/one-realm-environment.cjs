const { AsyncLocalStorage } = require('node:async_hooks');
const { existsSync, statfsSync } = require('node:fs');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');
require('../swc-register.cjs');

const MEMORY = '/dev/shm';
/** Bytes. Far more than all stores of a run hold at once. */
const ROOM = 4 * 1024 ** 3;

/** Whether temporary folders may be in memory; those of campaigns stay on the disk, whose waits are part of what they play. */
function mayBeInMemory() {
  if (process.env.TMPDIR !== undefined || process.env.CAMPAIGN_SEED !== undefined || !existsSync(MEMORY))
    return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM;
}

// Hundreds of stores are opened, which waits for the disk each time, whoever else is using it.
if (mayBeInMemory()) process.env.TMPDIR = MEMORY;

/** What stands for Node's own realm where jest asks for a context of `vm`. */
const HERE = {};
const OF_PACKAGE = /[\\/]node_modules[\\/]/;
/** What packages are compiled to, by their files: one that jest evaluates anew for each suite is compiled once. */
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

/** Storages in use. Each makes every promise dearer until it is disabled; whoever goes on using it enables it again. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return run.apply(this, given);
};

globalThis[Symbol.for('storage-access.native-require')] = require;

/** jest-circus keeps here what it knows of a suite, and takes over what it finds. */
const OF_CIRCUS = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+)$/;

/**
 * Where the tests run: in Node's own realm, not in one of `vm`, so that what they test is loaded as in production, and once
 * for all suites of a worker (native-module.cjs). Errors of Node and of packages are `Error`s here, which they are not in
 * jest's own environment. The price: a suite that changes a global object or a module has to restore it.
 */
module.exports = class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;
  // jest wraps both, for each suite anew.
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
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
