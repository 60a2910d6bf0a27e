import { setImmediate as turn } from 'node:timers/promises';
import type { Deadline } from '#kernel/yielder.js';
import { OperatorLease, Operators } from '#domain/operators/index.js';
import type { Author } from '#domain/operators/operator-lease.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../../support/embedded-world.js';
import { Gate } from '../../support/gate.js';

let world: EmbeddedWorld;
let operators: Operators;
let lease: OperatorLease;
/** Closed, it holds up the work that has the lease. */
let gate: Gate;
let done: string[];
beforeEach(async () => {
  world = await openEmbeddedWorld();
  operators = new Operators(world.records, world.clock, world.ids);
  lease = leaseOfAProcess();
  gate = new Gate();
  done = [];
});
afterEach(() => world.close());

const leaseOfAProcess = () => new OperatorLease(world.records, world.clock, world.ids, operators);

async function operator(name: string, companies: readonly string[] | null): Promise<Author> {
  const rights = { role: 'admin', companies, sites: null, disabled: false } as const;
  const draft = operators.draft({
    email: `${name}@x.org`,
    password_state: 'chosen',
    password_hash: '',
    environment_hash: null,
    ...rights,
  });
  await operators.insert(draft);
  return { kind: 'operator', id: draft._id, role: 'admin', companies, sites: null, rights_version: 1 };
}

function change(
  name: string,
  author: Author,
  deadline: Deadline = { isOver: false },
  by = lease,
): Promise<string> {
  const context = {
    command_id: name,
    request_id: name,
    actor: { kind: 'system', id: 'x' },
    recovering: false,
  } as const;
  const work = async () => {
    await gate.pass();
    done.push(name);
  };
  return by.hold({ author, context: { ...context, deadline } }, work).then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
}

/** Lets what waits for a lease look again until all has ended. */
async function ended<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false;
  void waiting.finally(() => (isOver = true));
  while (!isOver) {
    await turn();
    world.clock.advanceToNext(50);
  }
  return waiting;
}

describe('changes of operators', () => {
  it('by one operator are two at once, however many are asked for, and an admin of all companies goes first', async () => {
    const eve = await operator('eve', ['a']);
    const root = await operator('root', null);
    gate.close();
    const flood = Array.from({ length: 400 }, (_, n) => change(`eve ${n}`, eve));
    await gate.reached();
    const removal = change('root', root);
    gate.open();
    expect(await removal).toBe('done');
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(398);
    expect(done).toEqual(['eve 0', 'root', 'eve 1']);
    expect(await change('eve again', eve)).toBe('done');
  });

  it('by accomplices of the same companies leave room for those of other companies', async () => {
    const accomplices = await Promise.all(
      Array.from({ length: 40 }, (_, n) => operator(`e-${n}`, ['a', 'b'])),
    );
    const bob = await operator('bob', ['b']);
    gate.close();
    const flood = accomplices.flatMap((one, n) => [change(`one ${n}`, one), change(`two ${n}`, one)]);
    await gate.reached();
    const other = change('bob', bob);
    gate.open();
    expect(await other).toBe('done');
    await Promise.all(flood);
    expect(done.indexOf('bob')).toBe(8);
  });

  it('whose request is over are not done, and hold up no other', async () => {
    gate.close();
    const first = change('first', 'system');
    await gate.reached();
    const deadline = { isOver: false };
    const others = [change('late', 'system', deadline), change('next', 'system')];
    deadline.isOver = true;
    const taken = jest.spyOn(world.records, 'takeLease');
    gate.open();
    expect(await Promise.all([first, ...others])).toEqual(['done', 'given_up', 'done']);
    expect(done).toEqual(['first', 'next']);
    expect(taken).toHaveBeenCalledTimes(2);
  });

  it('wait five seconds at most', async () => {
    const eve = await operator('eve', ['a']);
    gate.close();
    const outcomes = [change('first', eve), change('second', eve)];
    await gate.reached();
    world.clock.advance(5_000);
    expect(await outcomes[1]).toBe('rate_limited');
    gate.open();
    expect(await outcomes[0]).toBe('done');
  });

  it('in a process whose queue is full let another process in after the one that is under way', async () => {
    const eve = await operator('eve', ['a']);
    const root = await operator('root', null);
    gate.close();
    const flood = [change('eve 0', eve), change('eve 1', eve)];
    await gate.reached();
    const taken = jest.spyOn(world.records, 'takeLease');
    const removal = change('root', root, undefined, leaseOfAProcess());
    // It has found the lease taken.
    while (taken.mock.results.length < 2) await turn();
    await Promise.all(taken.mock.results.map(({ value }) => value as Promise<unknown>));
    gate.open();
    await ended(Promise.all([...flood, removal]));
    expect(done).toEqual(['eve 0', 'root', 'eve 1']);
  });
});
