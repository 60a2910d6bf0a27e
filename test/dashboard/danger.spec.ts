import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Danger, Form } from '#dashboard/parts/form.js';

function stepOpens(form: string): boolean {
  const refused = { form, values: {}, status: 409, message: 'The unit is occupied.', errors: {} };
  const retire = h(Form, { name: 'retire', action: '/retire', submit: 'Retire it', refused });
  return render(h(Danger, { summary: 'Retire it', children: h('div', {}, retire) })).includes(
    '<details class="danger-zone" open',
  );
}

it('a step before what cannot be undone stands open where its form tells why it was refused, and nowhere else', () => {
  expect([stepOpens('retire'), stepOpens('name')]).toEqual([true, false]);
});
