import type { Decided } from '#eventsourcing/writing/aggregate.js';
import type { DetailField, TenantEvent, TenantEvents } from './tenant.events.js';

interface AtLocation {
  readonly company_id: string;
  readonly location_id: string;
}

export type TenantCommand = AtLocation &
  (
    | { readonly type: 'ChangeTenantDetails'; readonly fields: readonly DetailField[] }
    /** Of an account that several may create at once. */
    | { readonly type: 'RecordFirstDetails'; readonly fields: readonly DetailField[] }
    | { readonly type: 'EraseTenant' }
    | { readonly type: 'EndTenantSessions' }
    | ({ readonly type: 'RecordNotice' } & Omit<TenantEvents['TenantNotified'], keyof AtLocation>)
    | { readonly type: 'CallTenant' }
    | { readonly type: 'TakeTenantCallBack' }
  );

type DetailsCommand = Extract<TenantCommand, { readonly fields: unknown }>;

export interface TenantState {
  readonly erased: boolean;
}

/** Never refuses: accounts are records, and these events only record what was done. */
export function decideTenant(
  state: TenantState | undefined,
  command: TenantCommand,
): Decided<TenantEvent, undefined, never> {
  return { events: eventsOf(state, command), result: undefined };
}

export function evolveTenant(state: TenantState | undefined, { type }: TenantEvent): TenantState {
  switch (type) {
    case 'TenantDetailsChanged':
      return { erased: false };
    case 'TenantErased':
      return { erased: true };
    case 'TenantSessionsEnded':
    case 'TenantNotified':
    case 'TenantCalled':
    case 'TenantCallTakenBack':
      return state ?? { erased: false };
  }
}

function eventsOf(state: TenantState | undefined, command: TenantCommand): readonly TenantEvent[] {
  const { company_id, location_id } = command;
  switch (command.type) {
    case 'ChangeTenantDetails':
    case 'RecordFirstDetails':
      return detailsEventsOf(state, command);
    case 'EraseTenant':
      return state?.erased === true ? [] : [{ type: 'TenantErased', data: { company_id, location_id } }];
    case 'EndTenantSessions':
      return [{ type: 'TenantSessionsEnded', data: { company_id, location_id } }];
    case 'RecordNotice': {
      const { notice_id, kind, unit_ids, outcome } = command;
      const data = { company_id, location_id, notice_id, kind, unit_ids, outcome };
      return [{ type: 'TenantNotified', data }];
    }
    case 'CallTenant':
      return [{ type: 'TenantCalled', data: { company_id, location_id } }];
    case 'TakeTenantCallBack':
      return [{ type: 'TenantCallTakenBack', data: { company_id, location_id } }];
  }
}

function detailsEventsOf(
  state: TenantState | undefined,
  { type, company_id, location_id, fields }: DetailsCommand,
): readonly TenantEvent[] {
  const isLate = type === 'RecordFirstDetails' && state !== undefined;
  if (isLate || fields.length === 0) return [];
  return [{ type: 'TenantDetailsChanged', data: { company_id, location_id, fields } }];
}
