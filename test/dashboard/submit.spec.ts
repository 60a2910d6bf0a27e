import { Page, SeeOther } from '#dashboard/page/page.js';
import { submit } from '#dashboard/page/submit.js';
import { submitChange } from '#dashboard/parts/submit-change.js';
import { tooManyAttempts } from '#kernel/errors/api-error.js';

it('answers with the form that was refused, and with when to send it again', async () => {
  const shown = await submit({
    form: 'password',
    values: {},
    act: () => Promise.reject(tooManyAttempts({ windowSeconds: 60, retryAfterSeconds: 17 })),
    again: ({ status }) => Promise.resolve(new Page('Your account', null, status)),
  });
  expect(shown).toMatchObject({ status: 429, about: { headers: { 'Retry-After': '17' } } });
});

describe('a form with the first values of its fields', () => {
  const saved: string[] = [];
  const send = (values: object) =>
    submitChange({
      form: 'sharing',
      values,
      path: '/dashboard/sharing',
      save: () => {
        saved.push(JSON.stringify(values));
        return Promise.resolve('sharing_on');
      },
      again: ({ status }) => Promise.resolve(new Page('Sharing', null, status)),
    });

  it('saves nothing if it was sent as it stood', async () => {
    const next = await send({ name: 'Lake', 'initial.name': 'Lake' });
    expect(next).toEqual(new SeeOther('/dashboard/sharing', 'unchanged'));
    expect(saved).toEqual([]);
  });

  it('is saved if a field has another value', async () => {
    const next = await send({ name: 'Hill', 'initial.name': 'Lake' });
    expect(next).toEqual(new SeeOther('/dashboard/sharing', 'sharing_on'));
    expect(saved).toHaveLength(1);
  });
});
