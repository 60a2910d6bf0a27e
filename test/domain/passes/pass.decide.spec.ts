import { asStored, decidePass, LONGEST_PASS_MS } from '#domain/passes/core/pass.decide.js';
import type { PassEvent } from '#domain/passes/core/pass.events.js';
import { evolvePass } from '#domain/passes/core/pass.state.js';
import { VACANT_FACTS } from '#domain/units/core/fact-catalogue.js';
import { given as givenFor } from '../../support/given.js';
import { changed, DAY, ended, issued, issuePass, NOW, rented, vacant } from './pass-samples.js';

const given = (...events: readonly PassEvent[]) =>
  givenFor({ evolve: evolvePass, decide: decidePass }, ...events);
const END = { type: 'EndPass', cause: 'requested' } as const;

describe('a new pass', () => {
  test('begins now, and opens what it names', () => {
    given().when(issuePass(), NOW).then(issued());
  });

  test('begins now if its beginning is past', () => {
    given()
      .when(issuePass({ from: NOW - 1 }), NOW)
      .then(issued());
  });

  test('may begin later', () => {
    given()
      .when(issuePass({ from: NOW + 5 }), NOW)
      .then(issued({ from: NOW + 5 }));
  });

  test('names vacant units at the revision that was seen', () => {
    given()
      .when(issuePass({ units: [vacant('a')] }), NOW)
      .then(issued({ units: [{ unit_id: 'a', revision: 4 }] }));
  });

  test('may open units alone', () => {
    given()
      .when(issuePass({ entry_point_ids: [], units: [vacant('a')] }), NOW)
      .then(issued({ entry_point_ids: [], units: [{ unit_id: 'a', revision: 4 }] }));
  });

  test('names a unit in auction, although somebody rents it', () => {
    const auctioned = rented('a', { facts: { ...VACANT_FACTS, occupied: true, pms_auction: true } });
    given()
      .when(issuePass({ units: [auctioned] }), NOW)
      .then(issued({ units: [{ unit_id: 'a', revision: 7 }] }));
  });

  test('is refused at each unit that is let', () => {
    given()
      .when(issuePass({ units: [rented('a'), vacant('b'), rented('c')] }), NOW)
      .thenRejected({ code: 'units_let', indexes: [0, 2] });
  });

  test('is refused if it opens nothing', () => {
    given()
      .when(issuePass({ entry_point_ids: [] }), NOW)
      .thenRejected({ code: 'pass_opens_nothing' });
  });

  test('is refused if it has ended already', () => {
    given()
      .when(issuePass({ until: NOW }), NOW)
      .thenRejected({ code: 'pass_already_over' });
  });

  test('is refused if it ends before it begins', () => {
    given()
      .when(issuePass({ from: NOW + 9, until: NOW + 9 }), NOW)
      .thenRejected({ code: 'pass_ends_before_it_begins' });
  });

  test('lasts at most a year', () => {
    const until = NOW + LONGEST_PASS_MS;
    given()
      .when(issuePass({ until: until + 1 }), NOW)
      .thenRejected({ code: 'pass_too_long' });
    given().when(issuePass({ until }), NOW).then(issued({ until }));
  });

  test('is issued once', () => {
    given(issued()).when(issuePass(), NOW).thenNothing();
  });
});

describe('a change of a pass', () => {
  test('contains only what changed', () => {
    given(issued())
      .when({ type: 'ChangePass', until: NOW + 9, reason: 'vendor' }, NOW + 1)
      .then(changed({ until: NOW + 9, at: NOW + 1 }));
  });

  test('that changes nothing has no event', () => {
    given(issued())
      .when({ type: 'ChangePass', until: NOW + DAY, entry_point_ids: ['gate'] }, NOW + 1)
      .thenNothing();
  });

  test('names the records that changed', () => {
    given(issued())
      .when({ type: 'ChangePass', details: ['note'] }, NOW + 1)
      .then(changed({ details: ['note'], at: NOW + 1 }));
  });

  test('gives it another holder', () => {
    given(issued())
      .when({ type: 'ChangePass', tenant_id: 'zoe' }, NOW + 1)
      .then(changed({ tenant_id: 'zoe', at: NOW + 1 }));
  });

  test('leaves the beginning of a pass that has begun, unless it is put off', () => {
    given(issued())
      .when({ type: 'ChangePass', from: NOW - 5 }, NOW + 1)
      .thenNothing();
    given(issued())
      .when({ type: 'ChangePass', from: NOW + 5 }, NOW + 1)
      .then(changed({ from: NOW + 5, at: NOW + 1 }));
  });

  test('lets a pass begin at once', () => {
    given(issued({ from: NOW + 50 }))
      .when({ type: 'ChangePass', from: null }, NOW + 1)
      .then(changed({ from: NOW + 1, at: NOW + 1 }));
  });

  test('leaves a beginning to come where none is given', () => {
    given(issued({ from: NOW + 50 }))
      .when({ type: 'ChangePass', reason: 'staff' }, NOW + 1)
      .then(changed({ reason: 'staff', at: NOW + 1 }));
  });

  test('keeps a unit as it was named', () => {
    const units = [{ unit_id: 'a', revision: 4 }];
    given(issued({ units }))
      .when({ type: 'ChangePass', units: [vacant('a', { revision: 9, last_let: 4 })] }, NOW + 1)
      .thenNothing();
  });

  test('keeps each of its units as it was named', () => {
    const units = [
      { unit_id: 'a', revision: 4 },
      { unit_id: 'b', revision: 6 },
    ];
    given(issued({ units }))
      .when({ type: 'ChangePass', units: [vacant('a'), vacant('b', { revision: 9 })] }, NOW + 1)
      .thenNothing();
  });

  test('names a unit again that was let since, and is vacant', () => {
    given(issued({ units: [{ unit_id: 'a', revision: 4 }] }))
      .when({ type: 'ChangePass', units: [vacant('a', { revision: 9, last_let: 5 })] }, NOW + 1)
      .then(changed({ units: [{ unit_id: 'a', revision: 9 }], at: NOW + 1 }));
  });

  test('is refused at a unit that is let', () => {
    given(issued({ units: [{ unit_id: 'a', revision: 4 }] }))
      .when({ type: 'ChangePass', units: [rented('a')] }, NOW + 1)
      .thenRejected({ code: 'units_let', indexes: [0] });
  });

  test('is refused if it leaves nothing to open', () => {
    given(issued())
      .when({ type: 'ChangePass', entry_point_ids: [] }, NOW + 1)
      .thenRejected({ code: 'pass_opens_nothing' });
  });

  test('is refused once the pass has ended by itself', () => {
    given(issued())
      .when({ type: 'ChangePass', until: NOW + 9 * DAY }, NOW + DAY)
      .thenRejected({ code: 'pass_ended' });
  });

  test('is refused once the pass was ended', () => {
    given(issued(), ended())
      .when({ type: 'ChangePass', reason: 'staff' }, NOW + 1)
      .thenRejected({ code: 'pass_ended' });
  });

  test('needs a pass', () => {
    given().when({ type: 'ChangePass' }, NOW).thenRejected({ code: 'pass_not_found' });
  });
});

describe('the end of a pass', () => {
  test('has its cause', () => {
    given(issued())
      .when({ type: 'EndPass', cause: 'holder_erased' }, NOW + 1)
      .then(ended({ cause: 'holder_erased', at: NOW + 1 }));
  });

  test('also ends a pass to come', () => {
    given(issued({ from: NOW + 5 }))
      .when(END, NOW + 1)
      .then(ended({ at: NOW + 1 }));
  });

  test('happens once', () => {
    given(issued(), ended())
      .when(END, NOW + 1)
      .thenNothing();
    given(issued())
      .when(END, NOW + DAY)
      .thenNothing();
  });
});

describe('a command whose events the log holds', () => {
  const decided = (
    events: readonly PassEvent[],
    command: Parameters<typeof asStored>[0],
    stored: PassEvent,
  ) => {
    const state = events.reduce<ReturnType<typeof evolvePass> | undefined>(evolvePass, undefined);
    return decidePass(state, asStored(command, [stored]), stored.data.at);
  };

  test('is a new pass again, although its unit is let and its phone is another account’s by now', () => {
    const stored = issued({ units: [{ unit_id: 'a', revision: 4 }] });
    const command = issuePass({ tenant_id: 'other', units: [rented('a')] });
    expect(decided([], command, stored)).toEqual({ events: [stored], result: undefined });
  });

  test('is a change again that kept one unit and named another anew', () => {
    const units = [
      { unit_id: 'a', revision: 4 },
      { unit_id: 'b', revision: 9 },
    ];
    const before = issued({ units: units.map((unit) => ({ ...unit, revision: 4 })) });
    const stored = changed({ units, at: NOW + 1 });
    const command = { type: 'ChangePass', units: [rented('a'), rented('b')] } as const;
    expect(decided([before], command, stored)).toStrictEqual({ events: [stored], result: undefined });
  });

  test('is a change again of neither holder nor units', () => {
    const stored = changed({ reason: 'staff', at: NOW + 1 });
    const command = { type: 'ChangePass', reason: 'staff' } as const;
    expect(decided([issued()], command, stored)).toStrictEqual({ events: [stored], result: undefined });
  });

  test('is the same end', () => {
    const stored = ended({ at: NOW + 1 });
    expect(decided([issued()], END, stored)).toEqual({ events: [stored], result: undefined });
  });
});

test('a command whose first execution had no event is executed as it is', () => {
  const command = { type: 'ChangePass', reason: 'vendor' } as const;
  expect(asStored(command, [])).toEqual(command);
});
