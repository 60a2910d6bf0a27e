import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Refusal } from '#dashboard/parts/refusal.js';
import { TenantUnits } from '#dashboard/lists/tenant-columns.js';

it('a message of two fields leads to each, and one of two entries of a list stands once', () => {
  const errors = { from: ['Bad.'], to: ['Bad.'], 'rows.0': ['Worse.'], 'rows.1': ['Worse.'] };
  const refused = { form: 'a', values: {}, status: 422, message: '', errors };
  const idOf = (path: string) => (path.startsWith('rows') ? undefined : `a-${path}`);
  const html = render(h(Refusal, { refused, idOf }));
  expect(html.match(/<p>.*?<\/p>/g)).toEqual([
    '<p><a href="#a-from">Bad.</a></p>',
    '<p><a href="#a-to">Bad.</a></p>',
    '<p>Worse.</p>',
  ]);
});

it('the units of a tenant say once how many more there are', () => {
  const unit = (unit_id: string) => ({
    ...{ unit_id, unit_name: unit_id, access: { state: 'tenant_permitted' }, facts: { balance_due: 0 } },
  });
  const of = { units: [unit('A'), unit('B')], unit_count: 3 } as never;
  expect(render(h(TenantUnits, { of })).replace(/<[^>]*>/g, ' ')).toMatch(/^\W*A\W.*\WB\W.* and 1 more\W*$/);
  expect(render(h(TenantUnits, { of })).match(/more/g)).toHaveLength(1);
});
