import {
  memoryIn,
  memoryOf,
  processorSeconds,
  processorSecondsWithChildren,
  processTimesIn,
} from '../../../tools/bench/process-figures.js';

describe('figures of a process', () => {
  it('are read behind a name that holds blanks and parentheses', () => {
    const stat =
      '4242 (a) b (c) S 7 4242 4242 0 -1 4194560 900 80 0 0 250 50 12 8 20 0 11 0 5000 1000000 300 184467';
    expect(processTimesIn(stat)).toEqual({ parent: 7, own: 3, ofEndedChildren: 0.2 });
  });

  it('leave mapped files out of what memory is its own', () => {
    const status = [
      'Name:\tnode',
      'VmHWM:\t    4000 kB',
      'VmRSS:\t    3000 kB',
      'RssAnon:\t     500 kB',
      'RssFile:\t    2200 kB',
      'RssShmem:\t     300 kB',
    ].join('\n');
    expect(memoryIn(status)).toEqual({ resident: 3000 * 1024, own: 500 * 1024, peak: 4000 * 1024 });
  });

  it('are unknown of a process that is none', () => {
    const nobody = 2 ** 30;
    expect([processorSeconds(nobody), processorSecondsWithChildren(nobody), memoryOf(nobody)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
