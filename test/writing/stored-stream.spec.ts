import type { StoredDomainEvent } from '../../src/log/domain-event.js';
import { UNIT } from '../../src/units/index.js';
import { foldOnto } from '../../src/writing/stored-stream.js';

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
