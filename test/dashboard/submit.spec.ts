import { Page } from '#dashboard/page/page.js';
import { submit } from '#dashboard/page/submit.js';
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
