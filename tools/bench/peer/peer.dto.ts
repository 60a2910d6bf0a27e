import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsEmail,
  IsISO8601,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { BULK_SIZE } from '../bulk-body.js';

const LONGEST = 255;
const MONEY = { maxDecimalPlaces: 2 } as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export class PeerMoveIn {
  @IsString() @Length(1, LONGEST) pms_tenant_id!: string;
  @Matches(DATE) @IsISO8601({ strict: true }) move_in_date!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST) ledger_id?: string | null;
  @IsOptional() @IsString() @Length(1, LONGEST) unit_name?: string;
  @IsOptional() @IsString() @Length(1, LONGEST) pms_location_code?: string;
}

export class PeerFacts {
  @IsOptional() @IsNumber(MONEY) balance_due?: number;
  @IsOptional() @Matches(DATE) @IsISO8601({ strict: true }) paid_through_date?: string | null;
  @IsOptional() @IsBoolean() pms_lockout?: boolean;
  @IsOptional() @IsBoolean() pms_lock_exempt?: boolean;
  @IsOptional() @IsBoolean() pms_auction?: boolean;
  @IsOptional() @IsBoolean() pms_unrentable?: boolean;
  @IsOptional() @IsString() @MaxLength(1_000) pms_status_raw?: string | null;
}

class PeerPerson {
  @IsString() @Length(1, LONGEST) pms_tenant_id!: string;
  @IsString() @Length(1, LONGEST) first_name!: string;
  @IsString() @Length(1, LONGEST) last_name!: string;
  @IsOptional() @IsEmail() email?: string | null;
  @IsOptional() @Matches(/^\+\d{8,18}$/) phone?: string | null;
}

export class PeerEntry extends PeerFacts {
  @IsString() @Length(1, 128) crm_unit_id!: string;
  @IsBoolean() occupied!: boolean;
  @IsOptional() @IsString() @Length(1, LONGEST) unit_name?: string;
  @IsOptional() @IsString() @Length(1, LONGEST) pms_location_code?: string;
  @IsOptional() @IsString() @Length(1, LONGEST) pms_tenant_id?: string | null;
  @IsOptional() @ValidateNested() @Type(() => PeerPerson) tenant?: PeerPerson | null;
  @IsOptional() @IsString() @MaxLength(LONGEST) ledger_id?: string | null;
  @ValidateIf(({ occupied }: PeerEntry) => occupied)
  @Matches(DATE)
  @IsISO8601({ strict: true })
  move_in_date?: string | null;
}

export class PeerBulk {
  @ArrayMinSize(1)
  @ArrayMaxSize(BULK_SIZE)
  @ValidateNested({ each: true })
  @Type(() => PeerEntry)
  units!: PeerEntry[];
}
