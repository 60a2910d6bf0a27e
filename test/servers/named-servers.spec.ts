import { join } from 'node:path';

/** Ends and freezes its server. */
const SUITE = join(__dirname, '..', 'stores', 'mongodb', 'mongodb-outage.int.spec.ts');
const LEFT_OUT = /^a MongoDB that goes away: not run, as /;

type Body = () => void;

/** Plays the suite where no stand-in can be started. @returns what it said, by its only test, and whether that failed */
async function play(variables: NodeJS.ProcessEnv): Promise<{ said: string; failed: boolean }> {
  const tests: Body[] = [];
  const { describe, test } = globalThis;
  const { env } = process;
  const spoken = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const runner = {
    describe: (_name: string, declare: Body) => declare(),
    test: (_name: string, body: Body) => tests.push(body),
  };
  Object.assign(globalThis, runner);
  // Java is looked for by its name.
  process.env = { ...variables, REQUIRE_SERVERS: '1', PATH: '' };
  try {
    await jest.isolateModulesAsync(() => import(SUITE) as Promise<void>);
    expect(tests).toHaveLength(1);
    const failed = fails(tests[0]!);
    return { said: spoken.mock.calls.join(''), failed };
  } finally {
    Object.assign(globalThis, { describe, test });
    process.env = env;
    spoken.mockRestore();
  }
}

function fails(body: Body): boolean {
  try {
    body();
    return false;
  } catch {
    return true;
  }
}

it('a suite that ends its server leaves a named one alone, and says that it was not run', async () => {
  const named = await play({ TEST_MONGODB_URL: 'mongodb://127.0.0.1:1' });
  expect(named).toEqual({ said: expect.stringMatching(LEFT_OUT), failed: false });
});

it('and is a failure where servers are demanded and none is named', async () => {
  expect(await play({})).toEqual({ said: expect.stringMatching(LEFT_OUT), failed: true });
});
