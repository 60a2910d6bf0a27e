import { createHash } from 'node:crypto';
import { type ChainedContent, hashEvent, NO_PREVIOUS_HASH } from '#eventsourcing/log/hash-chain.js';

const content: ChainedContent = {
  id: 'e-1',
  stream: 'unit-c.A-1',
  revision: 3,
  type: 'UnitFactsChanged',
  data: { balance_due: 5000, pms_lockout: true },
  metadata: {
    command_id: 'c-1',
    request_id: 'r-1',
    actor: { kind: 'api_token', id: 't-1' },
    occurred_at: '2026-01-01T00:00:00.000Z',
    schema: 1,
    part: { n: 1, of: 2 },
    previous_hash: NO_PREVIOUS_HASH,
  },
};

describe('the hash of an event', () => {
  it('is the SHA-256 of its canonical content, which is a storage format', () => {
    const canonical =
      '{"data":{"balance_due":5000,"pms_lockout":true},"id":"e-1","metadata":{"actor":{"id":"t-1","kind":"api_token"},' +
      '"command_id":"c-1","occurred_at":"2026-01-01T00:00:00.000Z","part":{"n":1,"of":2},' +
      `"previous_hash":"${'0'.repeat(64)}","request_id":"r-1","schema":1},` +
      '"revision":3,"stream":"unit-c.A-1","type":"UnitFactsChanged"}';
    expect(hashEvent(content)).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('does not depend on the order of members, which a store may change', () => {
    const data = { pms_lockout: true, balance_due: 5000 };
    const metadata = Object.fromEntries(
      Object.entries(content.metadata).reverse(),
    ) as ChainedContent['metadata'];
    expect(hashEvent({ ...content, data, metadata })).toBe(hashEvent(content));
  });

  const { metadata } = content;
  it.each<[string, Partial<ChainedContent>]>([
    ['id', { id: 'e-2' }],
    ['stream', { stream: 'unit-c.A-2' }],
    ['revision', { revision: 4 }],
    ['type', { type: 'TenantMovedIn' }],
    ['data', { data: { balance_due: 5001, pms_lockout: true } }],
    ['data, by type alone', { data: { balance_due: '5000', pms_lockout: true } }],
    ['data, by a member that is gone', { data: { balance_due: 5000 } }],
    ['data, by a member that is new', { data: { balance_due: 5000, pms_lockout: true, x: null } }],
    ['actor', { metadata: { ...metadata, actor: { kind: 'operator', id: 't-1' } } }],
    ['command', { metadata: { ...metadata, command_id: 'c-2' } }],
    ['request', { metadata: { ...metadata, request_id: 'r-2' } }],
    ['instant', { metadata: { ...metadata, occurred_at: '2026-01-01T00:00:00.001Z' } }],
    ['schema', { metadata: { ...metadata, schema: 2 } }],
    ['event before it', { metadata: { ...metadata, previous_hash: 'f'.repeat(64) } }],
  ])('changes with its %s', (_what, change) => {
    expect(hashEvent({ ...content, ...change })).not.toBe(hashEvent(content));
  });
});
