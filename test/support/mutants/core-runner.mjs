import { createRequire } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

/** Of properties that bring none of their own. */
const SEED = 20260101;

/**
 * How Stryker has the tests of the pure cores run (stryker.config.json): one after another in one process, on modules that
 * are loaded once, the quickest first and none after the first that fails. Jest would begin anew for each mutant.
 * What a module computes as it is loaded is mutated too: for such a mutant the modules are loaded with it.
 */
class CoreRunner {
  static inject = ['options'];
  #specs;
  #require;
  #context;
  #tests;

  constructor({ coreSpecs }) {
    this.#specs = coreSpecs;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    // Stryker starts its runners within its copy of the project.
    this.#require = createRequire(path.resolve('package.json'));
    this.#require('./scripts/run-typescript.cjs');
    // That a property fails is enough, nobody reads the smallest example of it; and it fails in every run or in none.
    this.#require('fast-check').configureGlobal({ endOnFailure: true, seed: SEED });
    this.#context = globalThis.__stryker__ ??= {};
    const { describe, test, it, beforeEach, afterEach } = this.#require('jest-circus');
    const { jestExpect } = this.#require('@jest/expect');
    for (const name of ['assertions', 'hasAssertions']) jestExpect[name] = () => refuse(`expect.${name}`);
    Object.assign(globalThis, { describe, test, it, beforeEach, afterEach, expect: jestExpect });
  }

  async dryRun() {
    const tests = [];
    this.#tests = [...this.#load()];
    for (const test of this.#tests) {
      this.#context.currentTestId = test.id;
      const result = await run(test);
      this.#context.currentTestId = undefined;
      tests.push(result);
    }
    return { status: 'complete', tests, mutantCoverage: this.#context.mutantCoverage };
  }

  async mutantRun({
    activeMutant,
    mutantActivation,
    reloadEnvironment,
    testFilter,
    sandboxFileName,
    hitLimit,
  }) {
    const context = this.#context;
    Object.assign(context, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    if (reloadEnvironment) this.#forget();
    try {
      if (mutantActivation === 'static') context.activeMutant = activeMutant.id;
      const tests =
        testFilter === undefined
          ? this.#bearingOn(sandboxFileName)
          : quickestFirst((this.#tests ??= [...this.#load()]).filter(({ id }) => testFilter.includes(id)));
      context.activeMutant = activeMutant.id;
      return await killing(tests, context);
    } catch (error) {
      // A fault that is there as modules are loaded, and keeps them from being so, is noticed.
      if (mutantActivation === 'static' && error instanceof NotLoadedError)
        return { status: 'killed', killedBy: [], failureMessage: error.message, nrOfTests: 0 };
      return { status: 'error', errorMessage: String(error) };
    } finally {
      Object.assign(context, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    }
  }

  /** The tests of all suites, each of which is loaded as its turn comes. */
  *#load() {
    for (const spec of this.#specs) yield* this.#testsOf(path.resolve(spec));
  }

  *#bearingOn(source) {
    for (const test of this.#load()) if (test.reached.has(source)) yield test;
  }

  #testsOf(file) {
    const { resetState, getState } = this.#require('jest-circus');
    resetState();
    try {
      this.#require(file);
    } catch (error) {
      throw new NotLoadedError(String(error), { cause: error });
    }
    const reached = new Set();
    reach(this.#require.cache[file], reached);
    return [...testsIn(getState().rootDescribeBlock)].map((test) => ({ ...test, file, reached }));
  }

  /** Has everything of the project be loaded anew; the packages stay. */
  #forget() {
    this.#tests = undefined;
    for (const file of Object.keys(this.#require.cache))
      if (!file.includes(`${path.sep}node_modules${path.sep}`)) delete this.#require.cache[file];
  }
}

class NotLoadedError extends Error {}

/** What would be passed over in silence is not begun. */
function refuse(what) {
  throw new Error(`The tests of the cores are run without ${what}: core-runner.mjs does not know it.`);
}

/** The files that a module is made of. */
function reach(module, reached) {
  if (module === undefined || reached.has(module.filename) || module.filename.includes('node_modules'))
    return;
  reached.add(module.filename);
  for (const child of module.children) reach(child, reached);
}

function* testsIn({ children, hooks }, above = { name: '', before: [], after: [] }) {
  for (const { type } of hooks) if (type !== 'beforeEach' && type !== 'afterEach') refuse(type);
  const of = (type) => hooks.filter((hook) => hook.type === type);
  const before = [...above.before, ...of('beforeEach')];
  const after = [...of('afterEach'), ...above.after];
  for (const child of children) {
    const name = `${above.name} ${child.name}`.trim();
    if (child.mode) refuse(`${child.mode}: ${name}`);
    if (child.failing) refuse(`failing: ${name}`);
    if (child.type === 'test') yield { id: name, steps: [...before, child], after };
    else yield* testsIn(child, { name, before, after });
  }
}

/** Milliseconds that each test took when it was last run, by its name. */
const durations = new Map();

function quickestFirst(tests) {
  const duration = ({ id }) => durations.get(id) ?? 0;
  return tests.toSorted((one, other) => duration(one) - duration(other));
}

async function run({ id, file, steps, after }) {
  const begin = performance.now();
  const result = { id, name: id, fileName: file, status: 0 };
  const fail = (error) => {
    result.status = 1;
    result.failureMessage ??= String(error?.message ?? error);
  };
  try {
    for (const { fn } of steps) await fn();
  } catch (error) {
    fail(error);
  }
  // Each of them, or what the test has opened is open in all that follow.
  for (const { fn } of after) await Promise.resolve().then(fn).catch(fail);
  const timeSpentMs = performance.now() - begin;
  durations.set(id, timeSpentMs);
  return { ...result, timeSpentMs };
}

/** Runs the tests until one fails. */
async function killing(tests, context) {
  let nrOfTests = 0;
  for (const test of tests) {
    const { status, failureMessage } = await run(test);
    nrOfTests += 1;
    if (context.hitCount > context.hitLimit)
      return { status: 'timeout', reason: 'It went round without end.' };
    if (status === 1) return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests };
  }
  if (nrOfTests === 0) return { status: 'error', errorMessage: 'No test was run.' };
  return { status: 'survived', nrOfTests };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'cores', injectableClass: CoreRunner }];
