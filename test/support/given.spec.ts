import { given } from './given.js';

type Counted = { type: 'Counted'; data: { by: number } };

const counter = {
  evolve: (state: number | undefined, event: Counted) => (state ?? 0) + event.data.by,
  decide: (state: number | undefined, command: { by: number }) => {
    if (command.by < 0) return { rejected: 'negative' as const };
    return { events: command.by === 0 ? [] : [counted(command.by)], result: state ?? 0 };
  },
};

function counted(by: number): Counted {
  return { type: 'Counted', data: { by } };
}

describe('given', () => {
  test('accepts what was decided', () => {
    expect(() => {
      given(counter, counted(1), counted(2)).when({ by: 4 }).then(counted(4)).withResult(3);
      given(counter).when({ by: 0 }).thenNothing();
      given(counter).when({ by: -1 }).thenRejected('negative');
    }).not.toThrow();
  });

  test.each([
    ['another event', () => given(counter).when({ by: 1 }).then(counted(2))],
    ['a missing event', () => given(counter).when({ by: 1 }).thenNothing()],
    ['an event too many', () => given(counter).when({ by: 0 }).then(counted(0))],
    ['another result', () => given(counter, counted(1)).when({ by: 1 }).withResult(0)],
    ['a refusal that was not', () => given(counter).when({ by: 1 }).thenRejected('negative')],
    ['an acceptance that was not', () => given(counter).when({ by: -1 }).thenNothing()],
  ])('fails for %s', (_name, claim) => {
    expect(claim).toThrow(/differ/);
  });
});
