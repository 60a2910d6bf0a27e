import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';

it('repeats an attempt that another writer has overtaken', async () => {
  let attempts = 0;
  const attempt = () => Promise.resolve((attempts += 1) < 3 ? OVERTAKEN : 'written');
  expect(await untilItHolds(attempt)).toBe('written');
  expect(attempts).toBe(3);
});

it('ends after 100 attempts, with an error that is answered 503', async () => {
  let attempts = 0;
  const attempt = () => Promise.resolve((attempts += 1) > 0 ? OVERTAKEN : undefined);
  await expect(untilItHolds(attempt)).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('first 100 times'),
  });
  expect(attempts).toBe(100);
});
