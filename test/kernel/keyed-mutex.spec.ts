import { KeyedMutex } from '#kernel/keyed-mutex.js';

/** A piece of work that is done when the test says so. */
function work(name: string, done: string[]) {
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const run = async () => {
    done.push(`${name} begins`);
    await gate;
    done.push(`${name} ends`);
    return name;
  };
  return { run, finish };
}

const settle = () => new Promise(setImmediate);

describe('work on the same key', () => {
  it('follows one another in the order in which it came', async () => {
    const mutex = new KeyedMutex();
    const done: string[] = [];
    const [one, two, three] = ['1', '2', '3'].map((name) => work(name, done)) as [
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
    ];
    const running = [one, two, three].map(({ run }) => mutex.run(['k'], run));
    three.finish();
    two.finish();
    await settle();
    expect(done).toEqual(['1 begins']);
    one.finish();
    expect(await Promise.all(running)).toEqual(['1', '2', '3']);
    expect(done).toEqual(['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('goes on after work that failed', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.run(['k'], () => Promise.reject(new Error('no')));
    const next = mutex.run(['k'], () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('goes on after work that threw at once', async () => {
    const mutex = new KeyedMutex();
    const thrower = () => {
      throw new Error('at once');
    };
    await expect(mutex.run(['k'], thrower)).rejects.toThrow('at once');
    expect(await mutex.run(['k'], () => Promise.resolve('yes'))).toBe('yes');
  });
});

describe('work on several keys', () => {
  it('waits for every earlier one that shares a key, and for no other', async () => {
    const mutex = new KeyedMutex();
    const done: string[] = [];
    const [ab, bc, d] = [work('ab', done), work('bc', done), work('d', done)];
    const running = [mutex.run(['a', 'b'], ab.run), mutex.run(['b', 'c'], bc.run), mutex.run(['d'], d.run)];
    await settle();
    expect(done).toEqual(['ab begins', 'd begins']);
    ab.finish();
    await running[0];
    await settle();
    expect(done).toEqual(['ab begins', 'd begins', 'ab ends', 'bc begins']);
    bc.finish();
    d.finish();
    await Promise.all(running);
  });

  it('never waits in a circle, whatever the order of the keys', async () => {
    const mutex = new KeyedMutex();
    const keys = ['a', 'b', 'c', 'd'];
    let inside = 0;
    const tasks = Array.from({ length: 200 }, (_, number) => {
      const own = [keys[number % 4]!, keys[(number * 3 + 1) % 4]!].filter(
        (key, place, all) => all.indexOf(key) === place,
      );
      return mutex.run(number % 2 === 0 ? own : own.reverse(), async () => {
        inside += 1;
        await settle();
        inside -= 1;
      });
    });
    await Promise.all(tasks);
    expect(inside).toBe(0);
  });

  it('excludes all others that share one of them', async () => {
    const mutex = new KeyedMutex();
    const holders = new Map<string, number>();
    let most = 0;
    const task = (keys: string[]) =>
      mutex.run(keys, async () => {
        for (const key of keys) holders.set(key, (holders.get(key) ?? 0) + 1);
        most = Math.max(most, ...holders.values());
        await settle();
        for (const key of keys) holders.set(key, holders.get(key)! - 1);
      });
    await Promise.all(Array.from({ length: 60 }, (_, n) => task([`k${n % 3}`, `k${3 + (n % 5)}`])));
    expect(most).toBe(1);
  });
});
