import { Injectable } from '@nestjs/common';
import { UnitAccess } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { opensUnit, PassDirectory, standingOf } from '#domain/passes/index.js';
import {
  isOfferLocked,
  openOffers,
  sharesInForce,
  type ShareOffer,
  UnitDirectory,
  type UnitDocument,
} from '#domain/units/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { AnswerOf } from '#web/openapi/schemas.js';
import { found } from '../facility.refusals.js';
import { type KnownPeople, KnownPeopleReader, termsOfPass } from './known-people.js';
import type { UNIT_PEOPLE_SCHEMA } from './people.schemas.js';

export type UnitPeople = AnswerOf<typeof UNIT_PEOPLE_SCHEMA>;

/** Who may open a unit now (decisions §13). */
@Injectable()
export class UnitPeopleReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly locations: LocationDirectory,
    private readonly passes: PassDirectory,
    private readonly known: KnownPeopleReader,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws ApiError 404, StoreUnavailableError */
  async readPeople(unit_id: string): Promise<UnitPeople> {
    return this.readPeopleOf(found(await this.units.byUnitId(unit_id), 'unit_not_found'));
  }

  /** @throws StoreUnavailableError */
  async readPeopleOf(unit: UnitDocument): Promise<UnitPeople> {
    const { unit_id } = unit;
    const now = await this.clocks.now(unit.company_id);
    const [[described], [zonesAndLocks], named] = await Promise.all([
      this.access.describe([unit]),
      this.locations.zonesAndLocks([unit_id]),
      this.passes.endingAfter('by_unit', unit_id, now),
    ]);
    const passes = named.filter(({ units }) =>
      units.some((one) => one.unit_id === unit_id && opensUnit(one, unit)),
    );
    const tenants = unit.tenancy === null ? [] : [unit.tenancy];
    const shares = sharesInForce(unit.shares, now);
    const offers = openOffers(unit.offers, now);
    const lock_ids = (zonesAndLocks?.locks ?? []).map(({ lock_id }) => lock_id);
    const known = await this.known.read({
      holders: [...tenants, ...shares, ...offers],
      passes,
      lock_ids,
      now,
    });
    const { state, reason } = described!.decision;
    const has_lock = lock_ids.length > 0;
    const opens = has_lock && state === 'tenant_permitted';
    const entitled = [
      ...[...tenants, ...shares].map(({ tenant_id }) => ({ tenant_id })),
      ...passes.map(({ tenant_id, pass_id }) => ({ tenant_id, pass_id })),
    ];
    return {
      unit_id,
      unit_name: unit.unit_name,
      state,
      reason,
      has_lock,
      people: [
        ...tenants.map(({ tenant_id }) => ({
          kind: 'tenant' as const,
          ...known.person({ tenant_id }),
          opens,
          key_expires_at: known.keyExpiry({ tenant_id }),
        })),
        ...shares.map(({ tenant_id, share_id = null, until }) => ({
          kind: 'share' as const,
          ...known.person({ tenant_id }),
          share_id,
          until: timestampOrNull(until),
          opens,
          key_expires_at: known.keyExpiry({ tenant_id }),
        })),
        ...passes.map((pass) => ({
          kind: 'pass' as const,
          ...known.person(pass),
          ...termsOfPass(pass),
          opens: has_lock && standingOf(pass, now) === 'in_force',
          key_expires_at: known.keyExpiry(pass),
        })),
        ...offers.map((offer) => invitedPerson(offer, known)),
        ...known.keyHolders(entitled),
      ],
    };
  }
}

function invitedPerson(offer: ShareOffer, known: KnownPeople): UnitPeople['people'][number] {
  const { tenant_id, share_id, until, expires_at } = offer;
  const person = { ...known.person({ tenant_id }), share_id };
  const accept_by = toTimestamp(expires_at);
  return isOfferLocked(offer)
    ? { kind: 'locked_invitation', ...person, listed_until: accept_by }
    : { kind: 'invitation', ...person, until: toTimestamp(until), accept_by };
}
