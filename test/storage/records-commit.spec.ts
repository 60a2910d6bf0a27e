import { recordsCommitWith } from '../../src/storage/records-commit.js';

const LOG = { eventstore_url: 'esdb://log.example' };
const DOCUMENTS = { mongodb_url: 'mongodb://documents.example' };
const EMBEDDED = { eventstore_url: undefined, mongodb_url: undefined };

describe('what the records commit with', () => {
  it.each([
    ['both embedded', {}, 'log'],
    ['the log alone on a server', LOG, 'each_other'],
    ['the documents alone on a server', DOCUMENTS, 'nothing'],
    ['both on servers', { ...LOG, ...DOCUMENTS }, 'nothing'],
  ])('%s', (_stores, servers, expected) => {
    expect(recordsCommitWith({ ...EMBEDDED, ...servers })).toBe(expected);
  });
});
