import { Turns } from '#kernel/turns.js';

const turn = () => new Promise(setImmediate);

/** Turns by a clock that the test advances. */
function turnsAt(): { readonly turns: Turns; readonly work: (milliseconds: number) => void } {
  let now = 0;
  return { turns: new Turns(() => now), work: (milliseconds) => void (now += milliseconds) };
}

test('a short turn is not paused', () => {
  const { turns, work } = turnsAt();
  expect([turns.pauseIfLong(), turns.pauseBriefly()]).toEqual([undefined, undefined]);
  work(4);
  expect([turns.pauseIfLong(), turns.pauseBriefly()]).toEqual([undefined, undefined]);
});

test('a long turn is paused, and the next one is measured anew', async () => {
  const { turns, work } = turnsAt();
  void turns.pauseIfLong();
  work(10);
  await turns.pauseIfLong();
  expect(turns.pauseIfLong()).toBeUndefined();
});

test('one long piece of work goes on in each turn, in its order', async () => {
  const { turns, work } = turnsAt();
  const done: number[] = [];
  for (let piece = 0; piece < 3; piece += 1)
    void turns.next().then(() => {
      work(10);
      done.push(piece);
    });
  const perTurn: number[][] = [];
  for (let number = 0; number < 3; number += 1) {
    await turn();
    perTurn.push([...done]);
  }
  expect(perTurn).toEqual([[0], [0, 1], [0, 1, 2]]);
});

test('short pieces of work go on in one turn until it is long', async () => {
  const { turns, work } = turnsAt();
  let done = 0;
  for (let piece = 0; piece < 10; piece += 1)
    void turns.next().then(() => {
      work(1);
      done += 1;
    });
  await turn();
  expect(done).toBe(5);
});

test('work that waits again goes on in a later turn, however short it was', async () => {
  const { turns } = turnsAt();
  let pieces = 0;
  void (async () => {
    for (; pieces < 3; pieces += 1) await turns.next();
  })();
  const perTurn: number[] = [];
  for (let number = 0; number < 4; number += 1) {
    await turn();
    perTurn.push(pieces);
  }
  expect(perTurn).toEqual([1, 2, 3, 3]);
});

test('each piece of work has a time of its own', async () => {
  const { turns, work } = turnsAt();
  const isPaused: boolean[] = [];
  for (let piece = 0; piece < 2; piece += 1)
    void turns.next().then(() => {
      work(3);
      isPaused.push(turns.pauseIfLong() !== undefined);
    });
  await turn();
  expect(isPaused).toEqual([false, false]);
});

test('brief work of a caller does not wait behind its long work that came before', async () => {
  const { turns, work } = turnsAt();
  const done: string[] = [];
  for (let piece = 0; piece < 3; piece += 1) void turns.next().then(() => done.push('long'));
  work(10);
  for (let piece = 0; piece < 3; piece += 1) void turns.pauseBriefly()!.then(() => done.push('brief'));
  await turn();
  expect(done.slice(0, 3)).toEqual(['brief', 'brief', 'brief']);
});

/** A caller whose requests each work for 10 ms, wait, and so on. @returns who has worked, in order */
function workOf(turns: Turns, work: (milliseconds: number) => void, order: string[]) {
  return async (caller: string, pieces: number, milliseconds = 10) => {
    turns.enter(caller);
    for (let piece = 0; piece < pieces; piece += 1) {
      await turns.next();
      order.push(caller);
      work(milliseconds);
    }
  };
}

test('a caller with one request goes on before the other requests of a caller with many', async () => {
  const { turns, work } = turnsAt();
  const order: string[] = [];
  const start = workOf(turns, work, order);
  for (let request = 0; request < 20; request += 1) void start('many', 5);
  await turn();
  const one = start('one', 3);
  await one;
  expect(order.filter((caller) => caller === 'many').length).toBeLessThanOrEqual(4);
});

test('callers get equal time, not equally many pieces', async () => {
  const { turns, work } = turnsAt();
  const order: string[] = [];
  const start = workOf(turns, work, order);
  const slow = start('slow', 100, 20);
  await turn();
  const quick = start('quick', 40, 5);
  await quick;
  expect(order.filter((caller) => caller === 'slow').length).toBeLessThanOrEqual(12);
  await slow;
});

test('a caller that has waited for long has saved up no time', async () => {
  const { turns, work } = turnsAt();
  const order: string[] = [];
  const start = workOf(turns, work, order);
  const busy = start('busy', 100);
  await turn();
  await start('idle', 1);
  while (order.length < 50) await turn();
  const idle = start('idle', 40);
  await idle;
  expect(order.slice(50).filter((caller) => caller === 'busy').length).toBeGreaterThan(35);
  await busy;
});

test('a request that arrives lets a caller go first that has used less', async () => {
  const { turns, work } = turnsAt();
  const order: string[] = [];
  const start = workOf(turns, work, order);
  const many = start('many', 3);
  await turn();
  const one = start('one', 1);
  await new Promise((resolve) => process.nextTick(resolve));
  order.length = 0;
  turns.enter('many');
  await turns.letOthersFirst();
  order.push('many arrived');
  expect(order.slice(0, 2)).toEqual(['one', 'many arrived']);
  await Promise.all([many, one]);
});

test('a request that arrives while nobody waits does not wait', () => {
  const { turns, work } = turnsAt();
  turns.enter('one');
  work(100);
  expect(turns.letOthersFirst()).toBeUndefined();
});

test('new requests have a time of their own after work that waited', async () => {
  const { turns, work } = turnsAt();
  await turns.next();
  work(10);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(turns.pauseBriefly()).toBeUndefined();
});

test('while clients connect, waiting work is put off, but not for ever', async () => {
  const { turns } = turnsAt();
  let isDone = false;
  void turns.next().then(() => (isDone = true));
  const connect = async () => {
    turns.connected();
    await turn();
  };
  for (let time = 0; time < 50; time += 1) await connect();
  expect(isDone).toBe(false);
  await connect();
  expect(isDone).toBe(true);
});

test('in a simulated world no turn is long', async () => {
  const { turns, work } = turnsAt();
  turns.simulate();
  void turns.pauseIfLong();
  work(10);
  expect(turns.pauseIfLong()).toBeUndefined();
  const done: number[] = [];
  for (let piece = 0; piece < 2; piece += 1) void turns.next().then(() => done.push(piece));
  await turn();
  expect(done).toEqual([0, 1]);
});

test('after a simulation turns are long again', () => {
  const { turns, work } = turnsAt();
  turns.simulate();
  turns.endSimulation();
  void turns.pauseIfLong();
  work(10);
  expect(turns.pauseIfLong()).toBeDefined();
});
