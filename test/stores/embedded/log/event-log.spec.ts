import { decodeAppend } from '#stores/embedded/log/event-log.js';
import { UnreadableEventError } from '#eventsourcing/log/event-store.errors.js';

const textOf = (data: string) => `["unit-c.A",3,["id","UnitRenamed",${data},{"hash":"1e999"}]]`;

function readOf(data: string): unknown {
  try {
    return decodeAppend(7, textOf(data))[0]!.data;
  } catch (error) {
    if (error instanceof UnreadableEventError) return error.message;
    throw error;
  }
}

describe('the text of a stored append', () => {
  it.each(['1e999', '-1e999', ' 1.5E400', `1${'0'.repeat(400)}`])(
    'is unreadable with the number %s, which is read as infinite',
    (number) => {
      const said = 'The event at position 7 (stream unit-c.A, revision 3) cannot be read.';
      expect(readOf(`{"due":${number}}`)).toBe(said);
      expect(readOf(`{"due":[1,${number}]}`)).toBe(said);
    },
  );

  it('is read with numbers and strings that merely look so', () => {
    expect(readOf('{"due":1.5e3,"a":[1E-999,0],"b":",1e999"}')).toEqual({
      due: 1_500,
      a: [0, 0],
      b: ',1e999',
    });
  });

  it.each([
    ['no array', '{}'],
    ['no event', '["unit-c.A",3]'],
    ['an event of three members', '["unit-c.A",3,["id","UnitRenamed",{}]]'],
    ['no revision', '["unit-c.A",null,["id","UnitRenamed",{},{}]]'],
    ['no stream', '[7,3,["id","UnitRenamed",{},{}]]'],
  ])('is unreadable with %s', (_, text) => {
    expect(() => decodeAppend(7, text)).toThrow('The event at position 7 ');
  });
});
