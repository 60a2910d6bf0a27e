import fc from 'fast-check';
import { unitAsOf, windowAt } from '#domain/history/core/as-of.js';
import { timelineOf } from '#domain/history/core/timeline.js';
import { byPoint, EVER } from '#domain/history/core/window.js';
import { runs } from '../../support/campaign.js';
import { finished } from '../../support/finished.js';
import { live, moves } from './support/live-world.js';
import { calendar } from './support/recorded.js';

describe('the past as told from the log', () => {
  it('is what was decided at the time, at every instant', () => {
    fc.assert(
      fc.property(moves, (given) => {
        const { seen, log, units } = live(given);
        for (const { unit, instant, decision } of seen.filter((one) => units.includes(one.unit))) {
          const asOf = finished(unitAsOf(log.recordOf(unit), instant, calendar));
          if (decision === undefined) expect(asOf).toBeUndefined();
          else expect(asOf?.decision).toMatchObject(decision);
        }
      }),
      runs(100),
    );
  });

  it('is a chain of access without a gap, which says at every instant what was decided then', () => {
    fc.assert(
      fc.property(moves, (given) => {
        const world = live(given);
        for (const unit of world.units) {
          const entries = world.log.timeline(unit, world.now);
          const changes = entries.flatMap(({ access, instant }) =>
            access === null ? [] : [{ ...access, instant }],
          );
          changes.forEach(({ from }, place) => expect(from).toEqual(changes[place - 1]?.to ?? null));
          const { state, reason } = world.decisionOf(unit, world.now)!;
          expect(changes.at(-1)!.to).toEqual({ state, reason });
          for (const { instant, decision } of world.seen.filter((one) => one.unit === unit && one.decision)) {
            expect(decision).toMatchObject(changes.findLast((change) => change.instant <= instant)!.to);
          }
        }
      }),
      runs(100),
    );
  });

  it('does not change when more is written and time goes on', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 40 }), (given, count) => {
        const early = live(given.slice(0, count));
        const late = live(given);
        for (const unit of early.units) {
          const known = early.log.timeline(unit, early.now - 1);
          expect(late.log.timeline(unit, late.now).slice(0, known.length)).toEqual(known);
        }
      }),
      runs(100),
    );
  });

  it('is the same told in part, with no more than what bears on that part', () => {
    const part = fc.tuple(fc.nat(60), fc.nat(60));
    fc.assert(
      fc.property(moves, part, (given, [start, length]) => {
        const { log, units, now } = live(given);
        for (const unit of units) {
          const whole = log.timeline(unit, now);
          const after = start === 0 ? EVER.after : whole[(start - 1) % whole.length]!;
          const before = whole[whole.findIndex((entry) => byPoint(after, entry) < 0) + length] ?? EVER.before;
          const window = { after, before };
          const told = whole.filter((entry) => byPoint(after, entry) < 0 && byPoint(entry, before) < 0);
          const within = finished(timelineOf(log.recordWithin(unit, window), now, calendar, window));
          const kept = log.withStates(log.recordWithin(unit, window));
          expect(finished(timelineOf(kept, now, calendar, window))).toEqual(within);
          expect(within).toEqual(told);
        }
      }),
      runs(200),
    );
  });

  it('of an instant needs only what bears on it', () => {
    fc.assert(
      fc.property(moves, (given) => {
        const { seen, log, units } = live(given);
        for (const { unit, instant } of seen.filter((one) => units.includes(one.unit))) {
          const kept = log.withStates(log.recordOf(unit));
          expect(finished(unitAsOf(kept, instant, calendar))).toEqual(
            finished(unitAsOf(log.recordOf(unit), instant, calendar)),
          );
          expect(finished(unitAsOf(log.recordWithin(unit, windowAt(instant)), instant, calendar))).toEqual(
            finished(unitAsOf(log.recordOf(unit), instant, calendar)),
          );
        }
      }),
      runs(100),
    );
  });
});
