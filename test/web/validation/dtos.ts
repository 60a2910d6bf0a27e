import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { IsDateOnly, IsIdentifier, IsMoney } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';

export class Tenant {
  @IsString() @Length(1, LONGEST_TEXT) pms_tenant_id!: string;
  @IsString() @Length(1, LONGEST_TEXT) first_name!: string;
  @ValidateIf(isGiven) @IsString() @MaxLength(LONGEST_TEXT) email?: string;
}

export class Entry {
  @IsIdentifier() crm_unit_id!: string;
  @IsBoolean() occupied!: boolean;
  @ValidateIf(isGiven) @IsDateOnly() move_in_date?: string;
  @ValidateIf(isGiven)
  @IsObject()
  @ValidateNested()
  @Type(() => Tenant)
  tenant?: Tenant;
  @ValidateIf(isGiven) @IsMoney() balance_due?: number;
  @IsOptional() @IsDateOnly() paid_through_date?: string | null;
}

export class Zones {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  zone_ids!: string[];
}
