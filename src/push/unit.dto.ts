import {
  demandAnyField,
  IsDateOnly,
  IsEmailAddress,
  IsFlag,
  IsIdentifier,
  IsMoney,
  IsName,
  IsNested,
  IsPhone,
  IsText,
  Nullable,
  Optional,
  Required,
  RequiredWhen,
  toCents,
} from '../http/index.js';
import type { ChangeableFacts, StatedWrite } from '../units/index.js';

const LONGEST_STATUS = 1000;

/** Body of a move-in (specification §4.1). Tenant identity fields are unknown to it, and so refused. */
export class MoveInBody {
  @Required() @IsText({ min: 1 }) pms_tenant_id!: string;
  @Required() @IsDateOnly() move_in_date!: string;
  @Nullable() @IsText() ledger_id?: string | null;
  @Optional() @IsName() unit_name?: string;
  @Optional() @IsText({ min: 1 }) pms_location_code?: string;
}

/** The facts that a write may set directly; absent ones stay as they are. */
export class FactsBody {
  @Optional() @IsMoney() balance_due?: number;
  @Nullable() @IsDateOnly() paid_through_date?: string | null;
  @Optional() @IsFlag() pms_lockout?: boolean;
  @Optional() @IsFlag() pms_lock_exempt?: boolean;
  @Optional() @IsFlag() pms_auction?: boolean;
  @Optional() @IsFlag() pms_unrentable?: boolean;
  @Nullable() @IsText({ max: LONGEST_STATUS }) pms_status_raw?: string | null;
}

/** A tenant's person, nested in a bulk entry. */
export class TenantBody {
  @Required() @IsText({ min: 1 }) pms_tenant_id!: string;
  @Required() @IsName() first_name!: string;
  @Required() @IsName() last_name!: string;
  @Nullable() @IsEmailAddress() email?: string | null;
  @Nullable() @IsPhone() phone?: string | null;
}

/** What an entry is reported by. */
export class BulkIdentifier {
  @Required() @IsIdentifier() crm_unit_id!: string;
}

/** One unit of a bulk upsert. What depends on `occupied` is checked by `entryFaults`. */
export class BulkEntry extends FactsBody {
  @Required() @IsIdentifier() crm_unit_id!: string;
  @Required() @IsFlag() occupied!: boolean;
  @Optional() @IsName() unit_name?: string;
  @Optional() @IsText({ min: 1 }) pms_location_code?: string;
  @Nullable() @IsText({ min: 1 }) pms_tenant_id?: string | null;
  @Nullable() @IsNested(TenantBody) tenant?: TenantBody | null;
  @Nullable() @IsText() ledger_id?: string | null;
  @RequiredWhen('occupied', true) @Nullable() @IsDateOnly() move_in_date?: string | null;
}

export class WriteOptions {
  @Optional() @IsFlag() dry_run?: boolean;
}

const FACTS = [
  'balance_due',
  'paid_through_date',
  'pms_lockout',
  'pms_lock_exempt',
  'pms_auction',
  'pms_unrentable',
  'pms_status_raw',
] as const satisfies readonly (keyof FactsBody & keyof ChangeableFacts)[];

/** The write that a move-in's body states. */
export function statedMoveIn(body: MoveInBody): Omit<StatedWrite, 'crm_unit_id'> {
  const { pms_tenant_id, move_in_date, ledger_id, unit_name, pms_location_code } = body;
  const arrival = { pms_tenant_id, move_in_date, ledger_id };
  return { kind: 'move_in', unit_name, pms_location_code, arrival, facts: {} };
}

/** The facts that a body names, amounts in cents. */
export function statedFacts(body: FactsBody): Partial<ChangeableFacts> {
  const facts: Record<string, unknown> = {};
  for (const name of FACTS) {
    const value = body[name];
    if (value !== undefined) facts[name] = name === 'balance_due' ? toCents(value as number) : value;
  }
  return facts;
}

/** Refuses a change of facts that names none. @throws ApiError 422 */
export function demandFacts(facts: Partial<ChangeableFacts>): Partial<ChangeableFacts> {
  demandAnyField(facts);
  return facts;
}
