import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { type AwaitedOffer, refuseOffer } from '#domain/units/core/unit.sharing.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { given as givenFor } from '../../support/given.js';
import { ada, ben, movedIn, moveIn, registered, unitDecider } from './unit-samples.js';

const given = (...events: readonly UnitEvent[]) => givenFor(unitDecider, ...events);
const let_: readonly UnitEvent[] = [registered, movedIn(ada)];
const DAY = 24 * 60 * 60_000;
const WEEK = 7 * DAY;
const UNTIL = 30 * DAY;

const offer = (more: object = {}) =>
  ({
    type: 'OfferShare',
    share_id: 's-1',
    tenant_id: 'cleo',
    until: UNTIL,
    by: 'ada',
    isSharingOn: true,
    ...more,
  }) as const;
const offered = (more: object = {}): UnitEvent => ({
  type: 'UnitShareOffered',
  data: { share_id: 's-1', tenant_id: 'cleo', until: UNTIL, expires_at: WEEK, ...more },
});
const accept = (more: object = {}) =>
  ({
    type: 'AcceptShare',
    share_id: 's-1',
    tenant_id: 'cleo',
    isCodeRight: true,
    isSharingOn: true,
    ...more,
  }) as const;
const accepted = (more: object = {}): UnitEvent => ({
  type: 'UnitShareAccepted',
  data: { share_id: 's-1', tenant_id: 'cleo', until: UNTIL, ...more },
});
const refused: UnitEvent = { type: 'UnitShareCodeRefused', data: { share_id: 's-1', tenant_id: 'cleo' } };
const offerEnded = (cause: 'requested' | 'expired' | 'move_out' | 'tenant_replaced'): UnitEvent => ({
  type: 'UnitShareOfferEnded',
  data: { share_id: 's-1', tenant_id: 'cleo', cause },
});
const shareEnded = (cause: 'requested' | 'expired'): UnitEvent => ({
  type: 'UnitShareEnded',
  data: { tenant_id: 'cleo', cause },
});
const end = (by: string, share_id = 's-1') => ({ type: 'EndTenantShare', share_id, by }) as const;
const byStaff: UnitEvent = { type: 'UnitShared', data: { tenant_id: 'cleo', until: null } };
const locked = [offered(), refused, refused, refused, refused, refused];
/** Offers to so many others. */
const others = (count: number) =>
  Array.from({ length: count }, (_, at) => offered({ share_id: `o-${at}`, tenant_id: `other-${at}` }));

describe('a tenant who offers a share', () => {
  test('invites an account for seven days', () => {
    given(...let_)
      .when(offer())
      .then(offered())
      .withResult({ created: false, warnings: [] });
  });

  test('invites it until the share would end, if that is earlier', () => {
    given(...let_)
      .when(offer({ until: DAY }))
      .then(offered({ until: DAY, expires_at: DAY }));
  });

  test('is told of no second one when the request is repeated', () => {
    given(...let_, offered())
      .when(offer())
      .thenNothing();
    given(...let_, offered(), accepted())
      .when(offer())
      .thenNothing();
  });

  test('is told of no second one when five people have shares, as another account has accepted', () => {
    given(...let_, ...others(4), offered(), accepted({ tenant_id: 'cleo’s other account' }))
      .when(offer())
      .thenNothing();
  });

  test('replaces an earlier offer to the same account', () => {
    given(...let_, offered())
      .when(offer({ share_id: 's-2' }))
      .then(offerEnded('requested'), offered({ share_id: 's-2' }));
  });

  test('clears away what has expired', () => {
    given(...let_, offered())
      .when(offer({ share_id: 's-2', tenant_id: 'dora' }), WEEK)
      .then(offerEnded('expired'), offered({ share_id: 's-2', tenant_id: 'dora', expires_at: 2 * WEEK }));
  });

  test.each([
    ['somebody else rents the unit', let_, offer({ by: 'ben' }), 'unit_of_another_tenant'],
    [
      'the unit is only shared with the account',
      [...let_, byStaff],
      offer({ by: 'cleo', tenant_id: 'x' }),
      'unit_of_another_tenant',
    ],
    ['nobody rents the unit', [registered], offer(), 'unit_of_another_tenant'],
    ['the location does not let tenants share', let_, offer({ isSharingOn: false }), 'sharing_off'],
    ['it is the own account', let_, offer({ tenant_id: 'ada' }), 'offer_to_oneself'],
    ['the end is now', let_, offer({ until: 0 }), 'share_already_over'],
    ['the end is more than 90 days ahead', let_, offer({ until: 90 * DAY + 1 }), 'offer_too_long'],
  ] as const)('is refused if %s', (_, events, command, code) => {
    given(...events)
      .when(command)
      .thenRejected({ code });
  });

  test('may let it end 90 days ahead', () => {
    given(...let_)
      .when(offer({ until: 90 * DAY }))
      .then(offered({ until: 90 * DAY }));
    given(...let_)
      .when(offer({ until: 91 * DAY }), DAY)
      .then(offered({ until: 91 * DAY, expires_at: DAY + WEEK }));
  });

  test('invites five people at most, those included who have accepted', () => {
    const acceptance = accepted({ share_id: 'o-0', tenant_id: 'other-0' });
    given(...let_, ...others(4), acceptance)
      .when(offer())
      .then(offered());
    given(...let_, ...others(5), acceptance)
      .when(offer())
      .thenRejected({ code: 'people_full' });
  });

  test('leaves room for those whose offers are about to be made, each person once', () => {
    const unit = fold([...let_, ...others(3)]);
    const coming = (tenant_id: string, share_id = `c-${tenant_id}`) => ({ share_id, tenant_id });
    const refusalBeside = (awaited: readonly AwaitedOffer[]) => refuseOffer(unit, offer(), 0, awaited);
    expect(refusalBeside([coming('dora')])).toBeUndefined();
    expect(refusalBeside([coming('dora'), coming('emil')])).toEqual({ code: 'people_full' });
    expect(refusalBeside([coming('dora'), coming('other-0', 'o-0'), coming('cleo')])).toBeUndefined();
    expect(refusalBeside([coming('dora'), coming('emil', 'o-2')])).toBeUndefined();
  });

  test('invites one of the five again', () => {
    given(...let_, ...others(4), offered())
      .when(offer({ share_id: 's-2' }))
      .then(offerEnded('requested'), offered({ share_id: 's-2' }));
    given(...let_, ...others(4), offered(), accepted())
      .when(offer({ share_id: 's-2' }))
      .then(offered({ share_id: 's-2' }));
  });

  test('does not count whom staff let in, what has expired, and what is locked', () => {
    given(...let_, ...others(4), byStaff, offered({ share_id: 'o-4', tenant_id: 'other-4', expires_at: 5 }))
      .when(offer({ tenant_id: 'dora' }), 5)
      .then(
        { type: 'UnitShareOfferEnded', data: { share_id: 'o-4', tenant_id: 'other-4', cause: 'expired' } },
        offered({ tenant_id: 'dora', expires_at: WEEK + 5 }),
      );
    given(...let_, ...others(4), ...locked)
      .when(offer({ share_id: 's-2', tenant_id: 'dora' }))
      .then(offered({ share_id: 's-2', tenant_id: 'dora' }));
  });
});

describe('an offer', () => {
  test('becomes a share by the right code, once', () => {
    given(...let_, offered())
      .when(accept())
      .then(accepted());
    given(...let_, offered(), accepted())
      .when(accept())
      .thenNothing();
  });

  test('opens nothing before', () => {
    expect(fold([...let_, offered()])).toMatchObject({ shares: [] });
    expect(fold([...let_, offered(), accepted()])).toMatchObject({
      shares: [{ share_id: 's-1', tenant_id: 'cleo', until: UNTIL }],
      offers: [],
    });
  });

  test('counts a wrong code, and says how many are left', () => {
    given(...let_, offered(), refused)
      .when(accept({ isCodeRight: false }))
      .then(refused)
      .withResult({ created: false, warnings: [], tries_left: 3 });
  });

  test('is not closed by wrong codes for another one', () => {
    const other = offered({ share_id: 's-2', tenant_id: 'dora' });
    given(...let_, other, ...locked)
      .when(accept({ share_id: 's-2', tenant_id: 'dora' }))
      .then(accepted({ share_id: 's-2', tenant_id: 'dora' }));
    given(...let_, other, offered(), refused)
      .when(accept({ isCodeRight: false }))
      .then(refused)
      .withResult({ created: false, warnings: [], tries_left: 3 });
  });

  test('takes no code after five wrong ones, also not the right one', () => {
    given(...let_, ...locked.slice(0, 5))
      .when(accept({ isCodeRight: false }))
      .then(refused)
      .withResult({ created: false, warnings: [], tries_left: 0 });
    given(...let_, ...locked)
      .when(accept())
      .thenRejected({ code: 'offer_locked' });
  });

  test.each([
    ['has expired', [...let_, offered()], accept(), WEEK, 'share_not_found'],
    [
      'is of a location that has switched sharing off',
      [...let_, offered()],
      accept({ isSharingOn: false }),
      0,
      'sharing_off',
    ],
    ['is unknown', let_, accept(), 0, 'share_not_found'],
    [
      'was accepted by another account',
      [...let_, offered(), accepted()],
      accept({ tenant_id: 'dora' }),
      0,
      'share_not_found',
    ],
    [
      'would be accepted by the tenant',
      [...let_, offered()],
      accept({ tenant_id: 'ada' }),
      0,
      'tenant_is_primary',
    ],
    [
      'is of a unit that staff have shared with the account',
      [...let_, offered(), byStaff],
      accept(),
      0,
      'already_shared',
    ],
  ] as const)('is not accepted if it %s', (_, events, command, now, code) => {
    given(...events)
      .when(command, now)
      .thenRejected({ code });
  });

  test('is accepted after a share by staff has ended by itself', () => {
    const before: UnitEvent = { type: 'UnitShared', data: { tenant_id: 'cleo', until: 5 } };
    given(...let_, before, offered())
      .when(accept(), 5)
      .then(accepted());
  });

  test('gives a share of the tenant another end', () => {
    const again = { share_id: 's-2', until: 40 * DAY };
    given(...let_, offered(), accepted(), offered(again))
      .when(accept({ share_id: 's-2' }))
      .then(accepted(again));
    expect(fold([...let_, offered(), accepted(), offered(again), accepted(again)]).shares).toEqual([
      { tenant_id: 'cleo', ...again },
    ]);
  });

  test.each([
    ['the tenant', 'ada'],
    ['the invited account', 'cleo'],
  ])('is ended by %s, once', (_, by) => {
    given(...let_, offered())
      .when(end(by))
      .then(offerEnded('requested'));
    given(...let_, offered(), offerEnded('requested'))
      .when(end(by))
      .thenNothing();
  });

  test('is not ended by anybody else', () => {
    given(...let_, offered())
      .when(end('dora'))
      .thenRejected({ code: 'share_not_found' });
  });

  test('ends with the tenancy', () => {
    const moveOut = { type: 'MoveTenantOut', source: 'push' } as const;
    const movedOut = { type: 'TenantMovedOut', data: { tenancy_id: 'tenancy-1', tenant_id: 'ada' } } as const;
    given(...let_, offered())
      .when(moveOut)
      .then(offerEnded('move_out'), movedOut);
    given(...let_, offered())
      .when(moveOut, WEEK)
      .then(offerEnded('expired'), movedOut);
    given(...let_, offered())
      .when(moveIn(ben))
      .then(offerEnded('tenant_replaced'), movedIn(ben, { replaced_tenant_id: 'ada' }));
  });
});

describe('a share that a tenant gave', () => {
  const shared = [...let_, offered(), accepted()];

  test.each([
    ['the tenant', 'ada'],
    ['whoever has it', 'cleo'],
  ])('is ended by %s, once', (_, by) => {
    given(...shared)
      .when(end(by))
      .then(shareEnded('requested'));
    given(...shared, shareEnded('requested'))
      .when(end(by))
      .thenNothing();
  });

  test('is not ended by anybody else', () => {
    given(...shared, { type: 'UnitShared', data: { tenant_id: 'dora', until: null } })
      .when(end('dora'))
      .thenRejected({ code: 'share_not_found' });
  });

  test('stays the tenant’s if staff change its end', () => {
    const changed: UnitEvent = { type: 'UnitShared', data: { tenant_id: 'cleo', until: DAY } };
    given(...shared)
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: DAY })
      .then(changed);
    expect(fold([...shared, changed]).shares).toEqual([{ share_id: 's-1', tenant_id: 'cleo', until: DAY }]);
  });

  test('is not begun again by staff after its end: theirs is a new one', () => {
    const again: UnitEvent = { type: 'UnitShared', data: { tenant_id: 'cleo', until: null } };
    given(...shared)
      .when({ type: 'ShareUnit', tenant_id: 'cleo', until: null }, UNTIL)
      .then(shareEnded('expired'), again);
    expect(fold([...shared, shareEnded('expired'), again]).shares).toEqual([
      { tenant_id: 'cleo', until: null },
    ]);
  });
});

test('staff end what an account has and is offered, once', () => {
  const end = { type: 'EndShare', tenant_id: 'cleo' } as const;
  const both = [...let_, offered(), accepted(), offered({ share_id: 's-2' })];
  const offerIsOver: UnitEvent = {
    type: 'UnitShareOfferEnded',
    data: { share_id: 's-2', tenant_id: 'cleo', cause: 'requested' },
  };
  given(...both)
    .when(end)
    .then(shareEnded('requested'), offerIsOver);
  given(...both, shareEnded('requested'), offerIsOver)
    .when(end)
    .thenNothing();
});

describe('an account that is erased', () => {
  const erase = (tenant_id: string) => ({ type: 'EndSharesOf', tenant_id }) as const;

  test('loses its share and what it was offered', () => {
    given(...let_, byStaff, offered())
      .when(erase('cleo'))
      .then(shareEnded('requested'), offerEnded('requested'));
  });

  test('loses what it offers, but shares that it gave stay', () => {
    const offerToDora = offered({ share_id: 's-2', tenant_id: 'dora' });
    given(...let_, offered(), accepted(), offerToDora)
      .when(erase('ada'))
      .then({
        type: 'UnitShareOfferEnded',
        data: { share_id: 's-2', tenant_id: 'dora', cause: 'requested' },
      });
  });

  test('may have left the unit before', () => {
    given(registered).when(erase('ada')).thenNothing();
  });

  test('changes nothing of others', () => {
    given(...let_, byStaff, offered({ tenant_id: 'dora' }))
      .when(erase('eve'))
      .thenNothing();
  });
});

function fold(events: readonly UnitEvent[]): UnitState {
  return events.reduce<UnitState | undefined>(
    (state, event) => evolve(state, event, (state?.revision ?? -1) + 1),
    undefined,
  )!;
}
