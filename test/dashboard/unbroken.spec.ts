import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { PhoneLink } from '#dashboard/parts/tenant-links.js';
import { Table } from '#dashboard/parts/layout.js';
import { Unbroken } from '#dashboard/parts/unbroken.js';
import { UnitLink } from '#dashboard/parts/unit-link.js';

/** The texts that stay on one line. */
const whole = (html: string) => [...html.matchAll(/class="whole"[^>]*>([^<]*)</g)].map(([, text]) => text);

it('units, phone numbers and credits do not break at a hyphen, in links, tables and sentences', () => {
  const text = 'Locked out: $40.00 on H-110. Call +1 312-555-0100 about -$5.00 by Jan 1, 2026.';
  expect(whole(render(h(Unbroken, { text })))).toEqual(['H-110.', '+1 312-555-0100', '-$5.00']);
  expect(render(h(Unbroken, { text })).replace(/<[^>]*>/g, '')).toBe(text);
  const unit = { unit_id: '1', unit_name: 'H-110' };
  expect(whole(render(h(UnitLink, { unit })))).toEqual(['H-110']);
  expect(whole(render(h(PhoneLink, { phone: '+13125550100' })))).toEqual(['+1 312-555-0100']);
  const rows = [{ key: '1', cells: ['A-1 Latch', 7] }];
  expect(whole(render(h(Table, { caption: '', head: ['Lock', 'Days'], rows })))).toEqual(['A-1']);
});

it('digits inside an identifier are no phone number', () => {
  expect(
    whole(render(h(Unbroken, { text: '01M8QBJ4B4XC7478KW14526470 01M8QBJ4B4XC7478KW1452646Z' }))),
  ).toEqual([]);
});

/** With a pattern that is not linear these would not end. */
it.each(['-', '7', 'a', ' ', '-7', '7-', 'a-', '- ', '7 ', '-$', '+', 'a7'])(
  'finds what does not break in a text of 250,000 characters that repeats %j',
  (repeated) => {
    const text = `${repeated.repeat(250_000 / repeated.length)} H-110`;
    expect(whole(render(h(Unbroken, { text }))).at(-1)).toMatch(/H-110$|110$/);
  },
);
