import { randomUUID } from 'node:crypto';

/**
 * Abilities of an adapter beyond the port, with the fixture's tools for them. A case that needs one runs if it is
 * declared.
 */
const OFFERED = { durable: 'reopen', clock: 'advance' } as const;
export type Capability = keyof typeof OFFERED;

/** One behaviour of a port, as data: so that the guards can run it against a store that does nothing. */
export interface ContractCase<F> {
  readonly name: string;
  readonly needs?: Capability;
  readonly run: (fixture: F) => Promise<void>;
}

/** Tools that every fixture offers, for any store. */
export interface ContractFixture {
  close(): Promise<void>;
}

/**
 * The fixture of a store that can be closed and opened again upon the same data.
 * @param open is given the store that was closed before, if any
 * @param closed after the store, at the end
 */
export async function reopenable<Store extends { close(): Promise<void> }>(
  open: (former?: Store) => Store | Promise<Store>,
  closed: () => Promise<void> = () => Promise.resolve(),
) {
  let store = await open();
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await open(store);
    },
    async close() {
      await store.close();
      await closed();
    },
  };
}

/** A name of its own for each case, as a server that is shared between runs keeps what others wrote. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** Declares to jest those cases of a contract that an adapter's capabilities allow, and that it has no others. */
export function describeContract<F extends ContractFixture>(
  name: string,
  cases: readonly ContractCase<F>[],
  makeFixture: () => Promise<F>,
  capabilities: readonly Capability[],
): void {
  describe(name, () => {
    test('declares what its fixture offers', async () => {
      const fixture = await makeFixture();
      await fixture.close();
      const offered = Object.entries(OFFERED).filter(([, means]) => means in fixture);
      expect(offered.map(([capability]) => capability).sort()).toEqual([...capabilities].sort());
    });
    const applicable = cases.filter(({ needs }) => needs === undefined || capabilities.includes(needs));
    test.each(applicable)('$name', async ({ run }) => {
      const fixture = await makeFixture();
      try {
        await run(fixture);
      } finally {
        await fixture.close();
      }
      expect.hasAssertions();
    });
  });
}

/** Demands that a call is refused with the error that `guard` knows. */
export async function expectRejection(
  call: Promise<unknown>,
  guard: (error: unknown) => boolean,
): Promise<void> {
  const outcome = await call.then(
    () => 'no error',
    (error: unknown) => (guard(error) ? 'the expected error' : error),
  );
  expect(outcome).toBe('the expected error');
}
