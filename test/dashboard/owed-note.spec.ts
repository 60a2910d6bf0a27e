import { owedNote } from '#dashboard/today/owed-note.js';

it.each([
  ['more', 189, 89.5, '$99.50 more than yesterday'],
  ['less', 89.5, 189, '$99.50 less than yesterday'],
  ['as much, by cents', 0.3, 0.1 + 0.2, 'as much as yesterday'],
  ['nothing of yesterday on the first day', 189, undefined, 'no figure for yesterday'],
])('what is owed is compared with yesterday: %s', (_, owed, yesterday, text) => {
  expect(owedNote({ owed, yesterday }, 'USD')).toBe(text);
});
