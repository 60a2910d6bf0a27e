import { announcedOperator, announcedPort, listeningLine, signInLine } from '#kernel/announcement.js';

const OPERATOR = { email: "o'neil+first@storage.example", password: 'as,with:the.password-$1' };

describe('the port that a server announces', () => {
  it.each([
    ['on a line of text', listeningLine('The service', 8080)],
    ['in a line of a log', JSON.stringify({ port: 1, msg: listeningLine('The service', 8080), pid: 2 })],
  ])('is read %s', (_where, line) => {
    expect(announcedPort(line)).toBe(8080);
  });

  it.each([
    'The service did not start: port 8080 is in use by another program.',
    signInLine(8080, OPERATOR),
    '',
  ])('is in no other line: %j', (line) => {
    expect(announcedPort(line)).toBeUndefined();
  });
});

describe('the operator whom the service announces', () => {
  it('is read as it was printed', () => {
    expect(announcedOperator(signInLine(8080, OPERATOR))).toEqual(OPERATOR);
  });

  it('is in no other line', () => {
    expect(announcedOperator(listeningLine('The service', 8080))).toBeUndefined();
    expect(announcedOperator(JSON.stringify({ msg: signInLine(8080, OPERATOR) }))).toBeUndefined();
  });
});
