import fc from 'fast-check';
import {
  beginningsOf,
  folded,
  isFoundBy,
  nameBeginningsOf,
  searchKeys,
} from '../../src/tenants/core/search-keys.js';

const NAMES = [
  'search_name',
  'search_surname',
  ...[3, 4, 5, 6, 7, 8].map((number) => `search_word_${number}`),
];

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
    ['the surname after two first names', 'smith', account('Mary Ann Smith')],
    ['the last word of a surname of several', 'berg', account('Jan van der Berg')],
    ['the eighth word of a name', 'h', account('a b c d e f g h')],
    ['a name without its accents', 'nunez', account('José Núñez')],
    ['a name with accents that it has not', 'Párk', account('Ada Park')],
    ['the e-mail', 'ada@', account(null, { email: 'Ada@example.com' })],
    ['the phone as people write it', '+1 (312) 555-01', account(null, { phone: '+13125550100' })],
    ['the phone as it is pasted, a space before it', ' +1 312', account(null, { phone: '+13125550100' })],
    ['the phone without its plus', '1312', account(null, { phone: '+13125550100' })],
    ['a North American phone as it is said', '(312) 555-0100', account(null, { phone: '+13125550100' })],
    ['ten digits that are another country’s', '4930123456', account(null, { phone: '+4930123456' })],
    ['the phone as it is dialled from abroad', '00 49 30 1234', account(null, { phone: '+49301234567' })],
    ['a phone with noughts in its midst', '1312 500 1', account(null, { phone: '+13125001000' })],
    ['the PMS’s identifier', 'T-1', account(null, { pms_tenant_id: 'T-17' })],
  ])('%s', (_, text, found) => {
    expect(finds(text, found)).toBe(true);
  });

  it.each([
    ['the middle of a word', 'ark', account('Ada Park')],
    ['the ninth word of a name', 'i', account('a b c d e f g h i')],
    ['words that are not side by side', 'mary smith', account('Mary Ann Smith')],
    ['the PMS’s identifier in another case', 't-1', account('Ada', { pms_tenant_id: 'T-17' })],
    [
      'North American phone by a whole number of elsewhere',
      '+3125550100',
      account(null, { phone: '+13125550100' }),
    ],
    ['other phone than the one that is dialled', '00 49 30', account(null, { phone: '+13125550100' })],
    ['other North American phone', '(312) 555-0100', account(null, { phone: '+13125550199' })],
    ['marks alone', '\u0301', account('Ada Park')],
  ])('no %s', (_, text, found) => {
    expect(finds(text, found)).toBe(false);
  });

  it('a name as it is kept: without marks, case and needless spaces, and no longer than it need be', () => {
    const none = Object.fromEntries([...NAMES, 'search_email'].map((field) => [field, null]));
    expect(searchKeys('  José  NÚÑEZ Park ', 'Ada@Example.com')).toEqual({
      ...none,
      search_name: 'jose nunez park',
      search_surname: 'nunez park',
      search_word_3: 'park',
      search_email: 'ada@example.com',
    });
    expect(searchKeys('Ada', null)).toEqual({ ...none, search_name: 'ada' });
    expect(searchKeys(null, null)).toEqual(none);
    expect(folded('x'.repeat(101))).toBe('x'.repeat(100));
  });

  it('a text as what it may begin: of a phone only where it looks like one', () => {
    const byWords = (beginning: string) => ['search_email', ...NAMES].map((field) => ({ field, beginning }));
    const byId = (beginning: string) => ({ field: 'pms_tenant_id', beginning });
    expect(beginningsOf('Ada')).toEqual([byId('Ada'), ...byWords('ada')]);
    expect(beginningsOf('+1 (3')).toEqual([
      { field: 'phone', beginning: '+13' },
      byId('+1 (3'),
      ...byWords('+1 (3'),
    ]);
    const phones = (text: string) =>
      beginningsOf(text).flatMap(({ field, beginning }) => (field === 'phone' ? beginning : []));
    expect(phones('3125550100')).toEqual(['+3125550100', '+13125550100']);
    for (const elsewhere of ['493125550100', '31255501009', '+3125550100'])
      expect(phones(` ${elsewhere}`)).toEqual([`+${elsewhere.replace('+', '')}`]);
    expect(beginningsOf('A1')).toEqual([byId('A1'), ...byWords('a1')]);
    expect(beginningsOf('1A')).toEqual([byId('1A'), ...byWords('1a')]);
    expect(beginningsOf('-')).toEqual([byId('-'), ...byWords('-')]);
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

  it('the beginning of any of eight words, with what follows it', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => /^[^\s]+$/.test(one));
    const words = fc.array(word, { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(words, fc.nat(6), fc.integer({ min: 1, max: 90 }), (all, from, length) => {
        const text = all
          .slice(from % all.length)
          .join(' ')
          .slice(0, length);
        expect(isFoundBy(account(all.join(' ')), nameBeginningsOf(text))).toBe(true);
      }),
    );
  });
});
