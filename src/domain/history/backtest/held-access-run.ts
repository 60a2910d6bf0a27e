import type { Calendar } from '#domain/access/index.js';
import type { Yielder } from '#kernel/yielder.js';
import { heldAccess, type HeldAccess } from '../core/backtest.js';
import { policyPeriods, type Span, type UnitPeriods } from '../core/periods.js';
import type { DetailsEvent, Logged } from '../core/unit-record.js';
import type { UnitRecordReader } from '../unit-record.reader.js';
import { MOST_EVENTS, QuestionRun } from './backtest-run.js';

/** The states of a unit within a span, and its access by the policies of then. */
export interface UnitThen {
  readonly periods: UnitPeriods;
  readonly held: readonly HeldAccess[];
}

/** Asks for the access that units really had. */
export function heldAccessRun(
  reader: UnitRecordReader,
  calendar: Calendar,
  yielder: Yielder,
  { span, details }: { readonly span: Span; readonly details: readonly Logged<DetailsEvent>[] },
): QuestionRun<UnitThen> {
  return new QuestionRun(reader, calendar, yielder, {
    span,
    worlds: [policyPeriods(details)],
    mostEvents: MOST_EVENTS,
    ask: function* (periods, [actual]) {
      return { periods, held: yield* heldAccess(periods, actual!, span, calendar) };
    },
  });
}
