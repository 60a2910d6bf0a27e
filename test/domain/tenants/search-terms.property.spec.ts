import fc from 'fast-check';
import {
  prefixesOf,
  normalized,
  nameMatcherOf,
  searchTerms,
  tenantMatcherOf,
} from '#domain/tenants/core/search-terms.js';

const account = (name: string | null, more: { email?: string; phone?: string } = {}) => {
  const { email = null, phone = null } = more;
  return { name, email, phone };
};
const finds = (text: string, found: ReturnType<typeof account>) =>
  tenantMatcherOf(text)({ ...found, pms_tenant_id: '', search_terms: searchTerms(found) });

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
    ['the last digits of a phone', '0142', account(null, { phone: '+13125550142' })],
    ['the last digits that begin with 00', '0013', account(null, { phone: '+13125550013' })],
    ['the last digits as they are written', '555-0142', account(null, { phone: '+13125550142' })],
    ['words that are not side by side', 'mary smith', account('Mary Ann Smith')],
    ['words in another order, with a comma', 'Smith, Mary', account('Mary Ann Smith')],
    ['words in another order, with a comma alone', 'Smith,Mary', account('Mary Ann Smith')],
    ['the word before a comma', 'Smith,', account('Mary Smith')],
    ['the first name behind a comma', 'denise', account('Whitfield,Denise')],
    ['the beginning of a Greek word in capitals, which ends in a sigma', 'ΑΝΑΣ', account('ΑΝΑΣΤΑΣΙΑ')],
    ['a Greek name in capitals that ends in a sigma', 'ΝΙΚΟΣ', account('Νίκος Παππάς')],
    ['Greek words in capitals in another order', 'ΠΑΠΠΑΣ, ΑΝΑΣ', account('Αναστασία Παππάς')],
    ['the part of a first name behind its hyphen', 'jane', account('Mary-Jane Lopez')],
    ['such a part and the surname', 'jane lopez', account('Mary-Jane Lopez')],
    ['the part of a surname behind its hyphen', 'jones', account('Ann Smith-Jones')],
    ['a phone with noughts in its midst', '1312 500 1', account(null, { phone: '+13125001000' })],
  ])('%s', (_, text, found) => {
    expect(finds(text, found)).toBe(true);
  });

  it.each([
    ['the middle of a word', 'ark', account('Ada Park')],
    ['the ninth word of a name', 'i', account('a b c d e f g h i')],
    ['name of which one word is missing', 'mary jones', account('Mary Ann Smith')],
    ['last three digits of a phone', '142', account(null, { phone: '+13125550142' })],
    [
      'North American phone by a whole number of elsewhere',
      '+3125550100',
      account(null, { phone: '+13125550100' }),
    ],
    ['other phone than the one that is dialled', '00 49 30', account(null, { phone: '+13125550100' })],
    ['phone that begins with the digits after 00', '0013', account(null, { phone: '+13125550199' })],
    ['other North American phone', '(312) 555-0100', account(null, { phone: '+13125550199' })],
    ['marks alone', '\u0301', account('Ada Park')],
  ])('no %s', (_, text, found) => {
    expect(finds(text, found)).toBe(false);
  });

  it('terms without marks, case and needless spaces, no longer than needed, each once', () => {
    const person = { name: '  José  NÚÑEZ Park ', email: 'Ada@Example.com', phone: '+13125550100' };
    const names = ['jose nunez park', 'nunez park', 'park'];
    expect(searchTerms(person)).toEqual([...names, 'ada@example.com', '+13125550100', '#00105552131']);
    expect(searchTerms(account('Ada', { email: 'ada' }))).toEqual(['ada']);
    expect(searchTerms(account('\u0301'))).toEqual([]);
    expect(searchTerms(account(null))).toEqual([]);
    expect(normalized('x'.repeat(101))).toBe('x'.repeat(100));
  });

  it('an e-mail only where more than names is searched', () => {
    const found = account('Park', { email: 'ada@example.com' });
    expect([finds('ada', found), nameMatcherOf('ada')(found), nameMatcherOf('par')(found)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('a text as what it may begin: a phone only where it looks like one', () => {
    expect(prefixesOf('Ada')).toEqual(['ada']);
    expect(prefixesOf('+1 (3')).toEqual(['+13', '+1 (3']);
    expect(prefixesOf('3125550100')).toEqual(['+3125550100', '+13125550100', '#0010555213', '3125550100']);
    for (const elsewhere of ['493125550100', '31255501009', '+3125550100'])
      expect(prefixesOf(` ${elsewhere}`)[0]).toBe(`+${elsewhere.replace('+', '')}`);
    expect(prefixesOf('1A')).toEqual(['1a']);
    expect(prefixesOf(' ')).toEqual([]);
  });

  it('any beginning of a name', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
        fc.nat(60),
        (name, length) => {
          const text = [...name.normalize('NFC')].slice(0, length + 1).join('');
          // Commas and apostrophes alone name nobody.
          fc.pre(
            /[^\s,'’ʼ`´]/.test(text) &&
              normalized(text) !== '' &&
              normalized(name).startsWith(normalized(text)),
          );
          expect(finds(text, account(name))).toBe(true);
        },
      ),
    );
  });

  it('the beginning of any of eight words, with what follows it', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => /^[^\s,'’ʼ`´]+$/.test(one));
    const words = fc.array(word, { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(words, fc.nat(6), fc.integer({ min: 1, max: 90 }), (all, from, length) => {
        const text = all
          .slice(from % all.length)
          .join(' ')
          .slice(0, length);
        expect(nameMatcherOf(text)(account(all.join(' ')))).toBe(true);
      }),
    );
  });
});

describe('an account that was read already', () => {
  const ada = account('Ada Park', { phone: '+13125550142' });
  const stored = { ...ada, pms_tenant_id: 'T-1 West', search_terms: searchTerms(ada) };

  it.each(['ada', 'Park, Ada', '0142', 'T-1 West'])('is found by “%s”', (text) => {
    expect(tenantMatcherOf(text)(stored)).toBe(true);
  });

  it.each(['da', 'ada bob', '0143', 'T-1', ''])('is not found by “%s”', (text) => {
    expect(tenantMatcherOf(text)(stored)).toBe(false);
  });
});
