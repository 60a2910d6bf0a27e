import { together } from '../../src/config/together.js';

describe('together', () => {
  it('is the values themselves where none has to be waited for', () => {
    expect(together([1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('waits where one has to be, and keeps the order', async () => {
    await expect(together([1, Promise.resolve(2), 3])).resolves.toEqual([1, 2, 3]);
    await expect(together([1, Promise.reject(new Error('late'))])).rejects.toThrow('late');
  });
});
