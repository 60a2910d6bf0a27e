import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsEmail,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  IsChange,
  IsDateOnly,
  isGiven,
  IsIdentifier,
  IsMoney,
  IsName,
  IsPhone,
  IsVisibleText,
  LONGEST_TEXT,
  requiredWhen,
  toCents,
} from '../http/index.js';
import type { ChangeableFacts, StatedWrite } from '../units/index.js';

const LONGEST_STATUS = 1000;

/** Body of a move-in (specification §4.1). Tenant identity fields are unknown to it, and so refused. */
export class MoveInBody {
  @IsVisibleText() pms_tenant_id!: string;
  @IsDateOnly() move_in_date!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) ledger_id?: string | null;
  @ValidateIf(isGiven) @IsName() unit_name?: string;
  @ValidateIf(isGiven) @IsString() @Length(1, LONGEST_TEXT) pms_location_code?: string;
}

/** The facts that a write may set directly; absent ones stay as they are. */
@IsChange()
export class FactsBody {
  @ValidateIf(isGiven) @IsMoney() balance_due?: number;
  @IsOptional() @IsDateOnly() paid_through_date?: string | null;
  @ValidateIf(isGiven) @IsBoolean() pms_lockout?: boolean;
  @ValidateIf(isGiven) @IsBoolean() pms_lock_exempt?: boolean;
  @ValidateIf(isGiven) @IsBoolean() pms_auction?: boolean;
  @ValidateIf(isGiven) @IsBoolean() pms_unrentable?: boolean;
  @IsOptional() @IsVisibleText({ min: 0, max: LONGEST_STATUS }) pms_status_raw?: string | null;
}

/** A tenant's person, nested in a bulk entry. */
export class TenantBody {
  @IsVisibleText() pms_tenant_id!: string;
  @IsName() first_name!: string;
  @IsName() last_name!: string;
  @IsOptional() @IsEmail() email?: string | null;
  @IsOptional() @IsPhone() phone?: string | null;
}

/** What an entry is reported by. */
export class BulkIdentifier {
  @IsIdentifier() crm_unit_id!: string;
}

/** One unit of a bulk upsert. What depends on `occupied` is checked by `entryFaults`. */
export class BulkEntry extends FactsBody {
  @IsIdentifier() crm_unit_id!: string;
  @IsBoolean() occupied!: boolean;
  @ValidateIf(isGiven) @IsName() unit_name?: string;
  @ValidateIf(isGiven) @IsString() @Length(1, LONGEST_TEXT) pms_location_code?: string;
  @IsOptional() @IsVisibleText() pms_tenant_id?: string | null;
  @IsOptional() @ValidateNested() @Type(() => TenantBody) tenant?: TenantBody | null;
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) ledger_id?: string | null;
  @ValidateIf(requiredWhen('occupied', true, { nullable: true })) @IsDateOnly() move_in_date?: string | null;
}

export class WriteOptions {
  @ValidateIf(isGiven) @IsBoolean() dry_run?: boolean;
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
