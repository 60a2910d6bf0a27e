import { connect } from 'storage-access-client';
import { shortened } from '../../../tools/demo/format.js';
import { keptLines } from '../../../tools/demo/kept.js';

it('tells where to look, who to sign in as, and under which token to ask', () => {
  const operator = { email: 'operator@localhost', password: 'made up' };
  const facility = {
    operator: connect({ baseUrl: 'http://127.0.0.1:4000', token: 'not-shown' }),
    pms: connect({ baseUrl: 'http://127.0.0.1:4000', token: 'sat_token' }),
    api_token: 'sat_token',
    location_id: 'L',
    zones: { west: 'W', east: 'E' },
    gate_id: 'G',
  };
  const service = { url: 'http://127.0.0.1:4000', operator, outbox: '/data/sms-outbox.ndjson' };
  const text = keptLines(service, facility, 'http://127.0.0.1:4001').join('\n');
  expect(text).toContain('http://127.0.0.1:4000/dashboard');
  expect(text).toContain('http://127.0.0.1:4000/docs');
  expect(text).toMatch(/operator@localhost[^]*made up[^]*sat_token/);
  expect(text).toMatch(/127\.0\.0\.1:4001[^]*\+1 3315550100[^]*\/data\/sms-outbox\.ndjson/);
  expect(text).not.toContain('not-shown');
});

it('never shows the whole of a credential', () => {
  expect(shortened('sat_0123456789')).toBe('sat_0123… (14 characters)');
  expect(shortened('short')).toBe('…');
});
