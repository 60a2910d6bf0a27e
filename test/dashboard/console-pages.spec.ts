import { findConsolePages, mayNamePage } from '#dashboard/find/console-pages.js';

const sites = ['Riverside', 'Lakeside', 'Hillside'].map((name) => ({ location_id: name, name }));
const company = { company_id: 'company', name: 'Neil Street' };
const search = { role: 'admin', places: { company, isWhole: true, sites }, location_id: undefined } as const;

/** What the search takes apart, in order. */
function takenApartIn(work: () => void): string[] {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  try {
    work();
    return normalize.mock.contexts.map(String);
  } finally {
    normalize.mockRestore();
  }
}

it('a key pressed takes apart no name of a page', () => {
  const names = takenApartIn(() => {
    mayNamePage('hours');
    findConsolePages('hours', search);
  });
  expect(names).not.toContain('Hours');
  expect(names).not.toContain('Site map');
});

it('a text is taken apart as often for three sites as for one', () => {
  const timesFor = (count: number) =>
    takenApartIn(() =>
      findConsolePages('add', {
        ...search,
        places: { company, isWhole: true, sites: sites.slice(0, count) },
      }),
    ).filter((name) => name === 'add').length;
  expect(timesFor(3)).toBe(timesFor(1));
});

it('the name of a site is taken apart once, however many of its pages are called so', () => {
  const names = takenApartIn(() => findConsolePages('add', search));
  expect(names.filter((name) => name === 'Riverside')).toHaveLength(1);
});

it('a text that names pages of the company alone takes no site apart', () => {
  const names = takenApartIn(() => findConsolePages('operators', search));
  expect(names).not.toContain('Riverside');
});

it('a page’s title goes before other words that find a page', () => {
  const found = findConsolePages('units', {
    ...search,
    places: { company, isWhole: true, sites: [sites[0]!] },
  });
  expect(found.pages.map(({ title }) => title)).toEqual(['Units', 'Site map']);
});
