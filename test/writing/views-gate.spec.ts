import { ViewsGate } from '../../src/writing/views-gate.js';

/** Work that is told when to end, and notes in `told` what becomes of it. */
function work(told: string[], name: string) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    told.push(`${name} begins`);
    await ended;
    told.push(`${name} ends`);
  };
  return { run, end: () => end() };
}

/** Lets everything run that waits for nothing else. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

let gate: ViewsGate;
let told: string[];

beforeEach(() => {
  gate = new ViewsGate();
  told = [];
});

describe('the gate before the views', () => {
  it('lets what passes go on side by side', async () => {
    const [a, b] = [work(told, 'a'), work(told, 'b')];
    const all = [gate.shared(a.run), gate.shared(b.run)];
    expect(told).toEqual(['a begins', 'b begins']);
    a.end();
    b.end();
    await Promise.all(all);
  });

  it('waits for what is inside, and what comes then waits for the one who has it alone', async () => {
    const [inside, alone, late] = [work(told, 'inside'), work(told, 'alone'), work(told, 'late')];
    const all = [gate.shared(inside.run), gate.exclusively(alone.run), gate.shared(late.run)];
    await settle();
    expect(told).toEqual(['inside begins']);
    inside.end();
    await settle();
    expect(told).toEqual(['inside begins', 'inside ends', 'alone begins']);
    late.end();
    alone.end();
    await Promise.all(all);
    expect(told.slice(3)).toEqual(['alone ends', 'late begins', 'late ends']);
  });

  it('lets one at a time have it alone', async () => {
    const [first, second] = [work(told, 'first'), work(told, 'second')];
    const all = [gate.exclusively(first.run), gate.exclusively(second.run)];
    second.end();
    await settle();
    expect(told).toEqual(['first begins']);
    first.end();
    await Promise.all(all);
    expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('opens again where the work fails', async () => {
    const failing = () => Promise.reject(new Error('It fails, as the test wants it.'));
    await expect(gate.shared(failing)).rejects.toThrow('as the test wants it');
    await expect(gate.exclusively(failing)).rejects.toThrow('as the test wants it');
    expect(await gate.shared(() => Promise.resolve('inside'))).toBe('inside');
  });

  it('answers nothing that may not be in the views that will be served from', async () => {
    const replaced = new Error('replaced');
    const guarded = new ViewsGate(() => Promise.reject(replaced));
    const ran = work(told, 'a');
    const answer = guarded.shared(ran.run);
    ran.end();
    await expect(answer).rejects.toBe(replaced);
    expect(told).toEqual(['a begins', 'a ends']);
    await expect(guarded.exclusively(() => Promise.resolve('alone'))).resolves.toBe('alone');
  });
});
