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

test('one piece of large work goes on in each turn, in its order', async () => {
  const { turns } = turnsAt();
  const done: number[] = [];
  for (let piece = 0; piece < 3; piece += 1) void turns.next().then(() => done.push(piece));
  const perTurn: number[][] = [];
  for (let number = 0; number < 3; number += 1) {
    await turn();
    perTurn.push([...done]);
  }
  expect(perTurn).toEqual([[0], [0, 1], [0, 1, 2]]);
});

test('small work does not wait behind large work that came before', async () => {
  const { turns, work } = turnsAt();
  const done: string[] = [];
  for (let piece = 0; piece < 3; piece += 1) void turns.next().then(() => done.push('large'));
  work(10);
  for (let piece = 0; piece < 3; piece += 1) void turns.pauseBriefly()!.then(() => done.push('small'));
  await turn();
  expect(done).toEqual(['small', 'small', 'small', 'large']);
});

test('new requests have a time of their own after work that waited', async () => {
  const { turns, work } = turnsAt();
  await turns.next();
  work(10);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(turns.pauseBriefly()).toBeUndefined();
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
