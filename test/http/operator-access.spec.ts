import { demandOwn, type Owners } from '../../src/http/operator-access.js';

describe('what an operator of some companies names', () => {
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

  it('is refused where it is another company’s', async () => {
    await demandOwn(operator, { unit_id: 'u-mine' }, owners);
    await expect(demandOwn(operator, { unit_id: 'u-theirs' }, owners)).rejects.toThrow('Unit not found.');
    await expect(demandOwn(operator, { unit_id: ['u-mine', 'u-theirs'] }, owners)).rejects.toThrow();
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'may be called %s, which is nobody’s',
    async (name) => {
      const named = Object.fromEntries([[name, 'x']]) as Record<string, unknown>;
      await expect(demandOwn(operator, named, owners)).resolves.toBeUndefined();
    },
  );
});
