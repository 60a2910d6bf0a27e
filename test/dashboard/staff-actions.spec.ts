import { actionsOf, subjectsOf } from '#dashboard/companies/staff-actions.js';

type Row = Parameters<typeof actionsOf>[0][number];

const change = (id: string, operator: string, request_id: string) =>
  ({ id, actor: { kind: 'operator', id: operator, name: operator }, request_id }) as Row;
const idsOf = (rows: readonly Row[]) => actionsOf(rows).map((action) => action.map(({ id }) => id));

it('changes of one request are one entry, also where another request came between', () => {
  const rows = [change('1', 'ada', 'a'), change('2', 'mia', 'b'), change('3', 'ada', 'a')];
  expect(idsOf(rows)).toEqual([['1', '3'], ['2']]);
});

it('requests of two people are two entries, although a proxy gave both one id', () => {
  expect(idsOf([change('1', 'ada', 'same'), change('2', 'mia', 'same')])).toEqual([['1'], ['2']]);
});

const about = (...names: readonly string[]) =>
  ({ ...change(names[0]!, 'ada', 'a'), subjects: names.map((text) => ({ text })) }) as Row;

it('an action of a few changes names each thing once', () => {
  const named = subjectsOf([about('A-1', 'Ada Park'), about('Ada Park')]);
  expect(named.map(({ text }) => text)).toEqual(['A-1', 'Ada Park']);
});

it('an action of many things names what all changes have in common', () => {
  const many = ['A-1', 'A-2', 'A-3', 'A-4'].map((name) => about(name, 'Lake Street'));
  const named = subjectsOf([about('A-5', 'Lake Street'), ...many]);
  expect(named.map(({ text }) => text)).toEqual(['Lake Street']);
});
