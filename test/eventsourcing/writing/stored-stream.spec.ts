import type { StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import { UNIT } from '#domain/units/index.js';
import { systemIds } from '#kernel/ids.js';
import { chain } from '#eventsourcing/writing/chain.js';
import { foldOnto } from '#eventsourcing/writing/stored-stream.js';

it('an event that does not fit into its stream is named in one line, with stream, revision and type', () => {
  const stranger = {
    stream: 'unit-1',
    revision: 0,
    type: 'FactsChanged',
    data: {},
  } as unknown as StoredDomainEvent;
  expect(() => foldOnto(UNIT as never, undefined, [stranger])).toThrow(
    expect.objectContaining({
      code: 'unfitting_event',
      message: expect.stringMatching(/^Event 0 of unit-1 \(FactsChanged\) does not fit [^\n]*$/) as string,
    }),
  );
});

it('events are folded as one list, if the fold can do that at less cost', () => {
  const events = [0, 1].map((revision) => ({ revision, metadata: { occurred_at: '', hash: '' } }));
  let lists = 0;
  const evolveList = () => {
    lists += 1;
    return (before: number[] | undefined, _event: unknown, revision: number) => [...(before ?? []), revision];
  };
  const evolve = () => {
    throw new Error('One by one.');
  };
  const { state } = foldOnto({ evolve, evolveList }, undefined, events as unknown as StoredDomainEvent[])!;
  expect([lists, state]).toEqual([1, [0, 1]]);
});

it('an event of a type that its stream does not declare is not appended', () => {
  const draft = {
    stream: 'unit-1',
    snapshot: undefined,
    events: [{ type: 'Refunded', data: {} }],
    types: {},
    now: 0,
  };
  const context = {
    command_id: 'c',
    request_id: 'r',
    actor: { kind: 'system', id: 's' },
    recovering: false,
  } as const;
  expect(() => chain(draft, context, systemIds)).toThrow(TypeError);
});
