import { assertOwn, type Owners } from '#web/operator-access.js';

describe('a thing that an operator of some companies names', () => {
  const operator = {
    kind: 'operator',
    id: 'o',
    role: 'manager',
    companies: ['mine'],
    rights_version: 1,
  } as const;
  const owners: Owners = {
    unit_id: ['unit_not_found', (id) => Promise.resolve(id === 'u-mine' ? 'mine' : 'theirs')],
  };

  it('is refused when it belongs to another company', async () => {
    await assertOwn(operator, { unit_id: 'u-mine' }, owners);
    await expect(assertOwn(operator, { unit_id: 'u-theirs' }, owners)).rejects.toThrow('Unit not found.');
    await expect(assertOwn(operator, { unit_id: ['u-mine', 'u-theirs'] }, owners)).rejects.toThrow();
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'may be called %s, which is nobody’s',
    async (name) => {
      const named = Object.fromEntries([[name, 'x']]) as Record<string, unknown>;
      await expect(assertOwn(operator, named, owners)).resolves.toBeUndefined();
    },
  );
});
