import fc from 'fast-check';
import { beginningsOf, folded, isFoundBy, searchKeys } from '../../src/tenants/core/search-keys.js';

const account = (
  name: string | null,
  more: { email?: string; phone?: string; pms_tenant_id?: string } = {},
) => {
  const { email = null, phone = null, pms_tenant_id = 'T-1' } = more;
  return { ...searchKeys(name, email), phone, pms_tenant_id };
};
const finds = (text: string, found: ReturnType<typeof account>) => isFoundBy(found, beginningsOf(text));

describe('a tenant is found by', () => {
  it.each([
    ['the beginning of the name', 'ada p', account('Ada Park')],
    ['the surname', 'PARK', account('Ada Park')],
    ['all words after the first', 'van der', account('Ada van der Berg')],
    ['a name without its accents', 'nunez', account('José Núñez')],
    ['a name with accents that it has not', 'Párk', account('Ada Park')],
    ['the e-mail', 'ada@', account(null, { email: 'Ada@example.com' })],
    ['the phone as people write it', '+1 (312) 555-01', account(null, { phone: '+13125550100' })],
    ['the phone without its plus', '1312', account(null, { phone: '+13125550100' })],
    ['a North American phone as it is said', '(312) 555-0100', account(null, { phone: '+13125550100' })],
    ['ten digits that are another country’s', '4930123456', account(null, { phone: '+4930123456' })],
    ['the phone as it is dialled from abroad', '00 49 30 1234', account(null, { phone: '+49301234567' })],
    ['the PMS’s identifier', 'T-1', account(null, { pms_tenant_id: 'T-17' })],
  ])('%s', (_, text, found) => {
    expect(finds(text, found)).toBe(true);
  });

  it.each([
    ['the middle of a word', 'ark', account('Ada Park')],
    ['the PMS’s identifier in another case', 't-1', account('Ada', { pms_tenant_id: 'T-17' })],
    [
      'North American phone by a whole number of elsewhere',
      '+3125550100',
      account(null, { phone: '+13125550100' }),
    ],
    ['marks alone', '\u0301', account('Ada Park')],
  ])('no %s', (_, text, found) => {
    expect(finds(text, found)).toBe(false);
  });

  it('a name as it is kept: without marks, case and needless spaces, and no longer than it need be', () => {
    expect(searchKeys('  José  NÚÑEZ Park ', 'Ada@Example.com')).toEqual({
      search_name: 'jose nunez park',
      search_surname: 'nunez park',
      search_email: 'ada@example.com',
    });
    expect(searchKeys('Ada', null)).toEqual({
      search_name: 'ada',
      search_surname: null,
      search_email: null,
    });
    expect(searchKeys(null, null).search_name).toBeNull();
    expect(folded('x'.repeat(101))).toBe('x'.repeat(100));
  });

  it('a text as what it may begin: of a phone only where it looks like one', () => {
    const byName = (beginning: string) =>
      ['search_name', 'search_surname', 'search_email'].map((field) => ({ field, beginning }));
    const byId = (beginning: string) => ({ field: 'pms_tenant_id', beginning });
    expect(beginningsOf('Ada')).toEqual([...byName('ada'), byId('Ada')]);
    expect(beginningsOf('+1 (3')).toEqual([
      ...byName('+1 (3'),
      { field: 'phone', beginning: '+13' },
      byId('+1 (3'),
    ]);
    expect(beginningsOf('A1')).toEqual([...byName('a1'), byId('A1')]);
    expect(beginningsOf('1A')).toEqual([...byName('1a'), byId('1A')]);
    expect(beginningsOf('-')).toEqual([...byName('-'), byId('-')]);
    expect(beginningsOf(' ')).toEqual([byId(' ')]);
  });

  it('any beginning of a name', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
        fc.nat(60),
        (name, length) => {
          const text = [...name.normalize('NFC')].slice(0, length + 1).join('');
          fc.pre(folded(text) !== '' && folded(name).startsWith(folded(text)));
          expect(finds(text, account(name))).toBe(true);
        },
      ),
    );
  });
});
