import { csvRow } from '#dashboard/parts/csv.js';

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u00a0=1', '＝1', '＠SUM(A1)'])(
    '%j becomes no formula',
    (text) => {
      expect(csvRow([text])).toMatch(/^"?'/);
    },
  );

  it('becomes no formula where cells are parted at semicolons either', () => {
    expect(csvRow(['A;=1+1; -2;b'])).toBe("A;'=1+1;' -2;b\r\n");
  });

  it('stays a number where it is one', () => {
    expect(csvRow([-5.5])).toBe('-5.5\r\n');
  });

  it('is quoted where it would end the cell or the line, and is nothing where nothing is known', () => {
    expect(csvRow(['a,b', 'a"b', 'a\nb', 'plain', 5, false, null, undefined])).toBe(
      '"a,b","a""b","a\nb",plain,5,false,,\r\n',
    );
  });
});
