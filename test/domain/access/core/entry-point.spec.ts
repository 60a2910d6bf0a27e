import { decideEntryPoint } from '#domain/access/core/entry-point.js';
import { ALWAYS, type Passage } from '#domain/locations/core/hours/passage.js';

const PASSABLE: Passage = { kind: 'passable', closes_at: 10, ends_at: 12 };
const CLOSED: Passage = { kind: 'closed', opens_at: 20 };
const OPENED = { in_service: true, isOpenedByUnit: true, passage: ALWAYS };

describe('an entry point', () => {
  it('permits without an end if it is always open', () => {
    expect(decideEntryPoint(OPENED)).toEqual({
      state: 'permitted',
      reason: null,
      opens_at: null,
      closes_at: null,
    });
  });

  it('permits until its hours close', () => {
    expect(decideEntryPoint({ ...OPENED, passage: PASSABLE })).toEqual({
      state: 'permitted',
      reason: null,
      opens_at: null,
      closes_at: 10,
    });
  });

  it('is closed until its hours open', () => {
    expect(decideEntryPoint({ ...OPENED, passage: CLOSED })).toEqual({
      state: 'denied',
      reason: 'outside_hours',
      opens_at: 20,
      closes_at: null,
    });
  });

  it('has no opening if its hours never open again', () => {
    const passage: Passage = { kind: 'closed', opens_at: Infinity };
    expect(decideEntryPoint({ ...OPENED, passage })).toMatchObject({
      reason: 'outside_hours',
      opens_at: null,
    });
  });

  it('is denied by the units before its hours, and names no instant', () => {
    for (const passage of [PASSABLE, CLOSED])
      expect(decideEntryPoint({ ...OPENED, isOpenedByUnit: false, passage })).toEqual({
        state: 'denied',
        reason: 'units_denied',
        opens_at: null,
        closes_at: null,
      });
  });

  it('is out of service before anything else', () => {
    expect(decideEntryPoint({ in_service: false, isOpenedByUnit: false, passage: CLOSED })).toEqual({
      state: 'denied',
      reason: 'out_of_service',
      opens_at: null,
      closes_at: null,
    });
  });
});
