import { amountText } from '../parts/words.js';

interface OwedDays {
  readonly owed: number;
  /** What was owed yesterday. Undefined: the company had not begun. */
  readonly yesterday: number | undefined;
}

/** `$636.00 more than yesterday` */
export function owedNote({ owed, yesterday }: OwedDays, currency: string): string {
  if (yesterday === undefined) return 'no figure for yesterday';
  // Sums of decimal amounts.
  const cents = Math.round((owed - yesterday) * 100);
  if (cents === 0) return 'as much as yesterday';
  return `${amountText(Math.abs(cents) / 100, currency)} ${cents > 0 ? 'more' : 'less'} than yesterday`;
}
