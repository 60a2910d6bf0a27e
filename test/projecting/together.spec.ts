import { together } from '../../src/projecting/together.js';

const later = (number: number) => (number === 2 ? Promise.resolve(number) : number);

describe('together', () => {
  it('is the values themselves where none has to be waited for', () => {
    expect(together([1, 2, 3], (number) => number * 2)).toEqual([2, 4, 6]);
  });

  it('waits where one has to be, and keeps the order', async () => {
    await expect(together([1, 2, 3], later)).resolves.toEqual([1, 2, 3]);
    const failing = together([1, 2], (number) => (number === 2 ? Promise.reject(new Error('late')) : number));
    await expect(failing).rejects.toThrow('late');
  });

  it('throws what making one throws, and lets what was begun before it fail unheard', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    const of = (number: number) => {
      if (number === 2) throw new Error('at once');
      return Promise.reject(new Error('late'));
    };
    expect(() => together([1, 2], of)).toThrow('at once');
    await new Promise(setImmediate);
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
  });
});
