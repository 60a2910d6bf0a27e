import { daysLate } from '#api/operator/today/days-late.js';

it.each([
  [100, '2025-11-01', '2026-01-01', 61],
  [100, '2026-01-01', '2026-01-01', null],
  [0, '2025-11-01', '2026-01-01', null],
  [100, null, '2026-01-01', null],
])('%d cents paid through %s are late on %s by %s', (balance_due, paid_through_date, today, days) => {
  expect(daysLate({ balance_due, paid_through_date }, today)).toBe(days);
});
