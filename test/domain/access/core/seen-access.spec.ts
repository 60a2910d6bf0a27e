import type { Access } from '#domain/access/core/policy.js';
import { seenAccessOf } from '#domain/access/core/seen-access.js';

test.each<[string, Access, string]>([
  ['permitted', { state: 'tenant_permitted', reason: 'active' }, 'open'],
  ['locked out', { state: 'tenant_denied', reason: 'delinquent' }, 'closed'],
  ['in auction', { state: 'auction', reason: null }, 'closed'],
  ['before its lease', { state: 'tenant_denied', reason: 'future_move_in' }, 'not_begun'],
])('a unit that is %s means to its tenant what they can do', (_, access, expected) => {
  expect(seenAccessOf(access)).toBe(expected);
});
