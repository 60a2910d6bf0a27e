import { recordsCommitWith } from '../../src/storage/records-commit.js';

describe('what the records commit with', () => {
  it.each([
    ['embedded', undefined, undefined, 'log'],
    ['on servers', 'esdb://log.example', 'mongodb://documents.example', 'nothing'],
  ])('%s', (_stores, eventstore_url, mongodb_url, expected) => {
    expect(recordsCommitWith({ eventstore_url, mongodb_url })).toBe(expected);
  });
});
