import type { Decided } from '#eventsourcing/writing/aggregate.js';
import { sameOverride } from './override-catalogue.js';
import type { Registration, UnitCommand, UnitRefusal, UnitResult } from './unit.commands.js';
import type { UnitEvent } from './unit.events.js';
import type { SourceType } from './unit.facts.js';
import { isOfSource, laterOf, type UnitState } from './unit.state.js';
import { UnitDraft } from './unit.draft.js';
import { isTenantShare, MOST_WRONG_CODES } from './offers.js';
import { isShareInForce, shareOf } from './shares.js';
import {
  acceptShare,
  endSharesAndOwnOffers,
  endShareAndOffersTo,
  endTenantShare,
  offerShare,
} from './unit.sharing.js';
import { changeFacts, emptyUnit, endShare, moveTenantIn, moveTenantOut } from './unit.tenancy.js';
import { handTenancyOver, takeTenancy } from './unit.transfer.js';
import { sideEffects } from './unit.warnings.js';
import { refuseAbsent, refuseArrival, refuseExisting } from './unit.refusals.js';

type UnitDecision = Decided<UnitEvent, UnitResult, UnitRefusal, UnitState>;

/** Emits the events of each command, on a unit that exists or that the command has just registered. */
const RULES: {
  readonly [Type in UnitCommand['type']]: (
    draft: UnitDraft,
    unit: UnitState,
    command: Extract<UnitCommand, { readonly type: Type }>,
  ) => void;
} = {
  RegisterUnit: () => undefined,
  MoveTenantIn: (draft, unit, { arrival }) => moveTenantIn(draft, unit, arrival),
  MoveTenantOut: (draft, unit) => moveTenantOut(draft, unit),
  TakeTenancy: (draft, unit, command) => takeTenancy(draft, unit, command),
  HandTenancyOver: (draft, unit, command) => handTenancyOver(draft, unit, command),
  ChangeFacts: (draft, unit, { facts }) => changeFacts(draft, unit, facts),
  SyncUnit: (draft, unit, { arrival, facts }) => {
    if (arrival === null) return emptyUnit(draft, unit, facts);
    changeFacts(draft, moveTenantIn(draft, unit, arrival), facts);
  },
  RenameUnit: (draft, unit, { unit_name }) => {
    if (unit.unit_name !== unit_name) draft.emit({ type: 'UnitRenamed', data: { unit_name } });
  },
  OverrideAccess: (draft, unit, { override }) => {
    if (!sameOverride(unit.override, override)) draft.emit({ type: 'AccessOverridden', data: override });
  },
  ClearOverride: (draft, unit) => {
    if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause: 'requested' } });
  },
  ShareUnit: (draft, unit, { tenant_id, until }) => {
    const share = shareOf(unit.shares, tenant_id);
    if (share?.until === until) return;
    // What a tenant gave does not begin again by what staff give.
    const isOver = share !== undefined && isTenantShare(share) && !isShareInForce(share, draft.now);
    if (isOver) endShare(draft, share, 'requested');
    draft.emit({ type: 'UnitShared', data: { tenant_id, until } });
  },
  EndShare: (draft, unit, { tenant_id }) => endShareAndOffersTo(draft, unit, tenant_id),
  EndSharesOf: (draft, unit, { tenant_id }) => endSharesAndOwnOffers(draft, unit, tenant_id),
  EndTenantShare: (draft, unit, { share_id }) => endTenantShare(draft, unit, share_id),
  OfferShare: (draft, unit, command) => offerShare(draft, unit, command),
  AcceptShare: (draft, unit, command) => acceptShare(draft, unit, command),
  GrantRoundTheClock: (draft, unit) => {
    if (!unit.round_the_clock) draft.emit({ type: 'RoundTheClockGranted', data: {} });
  },
  EndRoundTheClock: (draft, unit) => {
    if (unit.round_the_clock) draft.emit({ type: 'RoundTheClockEnded', data: { cause: 'requested' } });
  },
  RetireUnit: (draft, unit) => {
    if (!unit.retired) draft.emit({ type: 'UnitRetired', data: {} });
  },
  ReviveUnit: (draft, unit) => {
    if (unit.retired) draft.emit({ type: 'UnitRevived', data: {} });
  },
};

/**
 * Decides a command on a unit (undefined: it does not exist). A command that changes nothing is accepted without
 * events, so repeating one is harmless.
 * @param now milliseconds
 */
export function decide(state: UnitState | undefined, command: UnitCommand, now: number): UnitDecision {
  const refusal =
    (state === undefined ? refuseAbsent(command) : refuseExisting(state, command, now)) ??
    refuseArrival(command);
  if (refusal !== undefined) return { rejected: refusal };
  const draft = new UnitDraft(state, now);
  const unit = 'registration' in command ? register(draft, command.registration, command.source) : state!;
  const rule = RULES[command.type] as (draft: UnitDraft, unit: UnitState, command: UnitCommand) => void;
  rule(draft, unit, command);
  const warnings = state === undefined ? [] : sideEffects(state, draft.state!, command);
  const result = { created: state === undefined, warnings, ...triesLeft(draft.state!, command) };
  const written_at = writtenAt(draft, command, now);
  const after = written_at === draft.state!.written_at ? draft.state : { ...draft.state!, written_at };
  return { events: draft.events, result, state: after, stated_at: statedAt(command, now) };
}

function triesLeft(
  { offers = [] }: UnitState,
  command: UnitCommand,
): Pick<UnitResult, 'tries_left'> | undefined {
  if (command.type !== 'AcceptShare' || command.isCodeRight) return undefined;
  const offer = offers.find(({ share_id }) => share_id === command.share_id);
  // It has been accepted before: the code does not matter.
  return offer && { tries_left: MOST_WRONG_CODES - offer.wrong_codes };
}

function writtenAt({ state, events }: UnitDraft, command: UnitCommand, now: number): number | null {
  const stated_at = events.length === 0 ? undefined : statedAt(command, now);
  if (stated_at !== undefined) return laterOf(state!.written_at, stated_at);
  return events.some(isOfSource) ? laterOf(state!.written_at, now) : state!.written_at;
}

/** The instant of a full state. Other commands speak of the time at which they run. */
function statedAt(command: UnitCommand, now: number): number | undefined {
  return command.type === 'SyncUnit' ? (command.snapshot_at ?? now) : undefined;
}

/**
 * The command as it was first executed. If it registered the unit, then with the location and the tenant of its stored
 * events: a repeat may resolve the same names differently, because the company may have other locations by now. The unit
 * from which a tenancy came may be vacant by now. A rule that is newer than the events does not apply (decisions §4).
 */
export function asStored(command: UnitCommand, stored: readonly UnitEvent[]): UnitCommand {
  if (command.type === 'TakeTenancy') return { ...command, from: undefined };
  if (command.type === 'OfferShare') return asOffered(command, stored);
  if (command.type === 'AcceptShare') return { ...command, isSharingOn: true };
  if (!('registration' in command)) return command;
  const accepted = acceptedBefore(command);
  const registered = stored.find((event) => event.type === 'UnitRegistered');
  if (registered === undefined) return accepted;
  const { location_id } = registered.data;
  const location = { kind: 'known', location_id, given: false } as const;
  const registration = { ...accepted.registration, location };
  const movedIn = stored.find((event) => event.type === 'TenantMovedIn');
  if (movedIn === undefined || !('arrival' in accepted)) return { ...accepted, registration };
  const { tenant_id } = movedIn.data;
  return { ...accepted, registration, arrival: { ...accepted.arrival, tenant_id } } as UnitCommand;
}

type OfferShare = Extract<UnitCommand, { readonly type: 'OfferShare' }>;

/** The phone may belong to another account by now, and the location may have switched sharing off. */
function asOffered(command: OfferShare, stored: readonly UnitEvent[]): OfferShare {
  const offered = stored.find((event) => event.type === 'UnitShareOffered');
  return { ...command, tenant_id: offered?.data.tenant_id ?? command.tenant_id, isSharingOn: true };
}

type RegisteringCommand = Extract<UnitCommand, { readonly registration: Registration }>;

const NEWER_RULES = { tenant_is_full: undefined, tenant_is_reserved: undefined } as const;

/** The command without what an earlier version would not have refused. */
function acceptedBefore(command: RegisteringCommand): RegisteringCommand {
  const registration = {
    ...command.registration,
    on_other_location: 'warn',
    confusable: undefined,
  } as const;
  switch (command.type) {
    case 'RegisterUnit':
      return { ...command, registration };
    case 'MoveTenantIn':
      return {
        ...command,
        registration,
        arrival: { ...command.arrival, ...NEWER_RULES },
        if_occupied: undefined,
      };
    case 'SyncUnit': {
      const arrival = command.arrival && { ...command.arrival, ...NEWER_RULES };
      return { ...command, registration, arrival, snapshot_at: undefined };
    }
  }
}

/**
 * Creates the unit, or revives a retired one. An existing unit keeps its location and name (specification §2.1).
 */
function register(draft: UnitDraft, registration: Registration, source_type: SourceType): UnitState {
  const { company_id, crm_unit_id, unit_id, unit_name, location } = registration;
  const existing = draft.state;
  if (existing === undefined) {
    if (location.kind !== 'known') throw new Error('A registration without a location was not refused.');
    const { location_id } = location;
    const name = unit_name ?? crm_unit_id;
    const data = { company_id, location_id, unit_id, crm_unit_id, unit_name: name, source_type };
    return draft.emit({ type: 'UnitRegistered', data });
  }
  return existing.retired ? draft.emit({ type: 'UnitRevived', data: {} }) : existing;
}
