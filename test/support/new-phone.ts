let last = 0;

/** A phone that no other test of the file has. It is no test number. */
export function newPhone(): string {
  last += 1;
  return `+1312552${String(last).padStart(4, '0')}`;
}
