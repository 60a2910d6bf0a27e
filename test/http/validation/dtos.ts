import {
  IsDateOnly,
  IsFlag,
  IsIdentifier,
  IsListOfText,
  IsMoney,
  IsNested,
  IsText,
  Nullable,
  Optional,
  Required,
  RequiredWhen,
} from '../../../src/http/index.js';

export class Tenant {
  @Required() @IsText({ min: 1 }) pms_tenant_id!: string;
  @Required() @IsText({ min: 1 }) first_name!: string;
  @Optional() @IsText() email?: string;
}

export class Entry {
  @Required() @IsIdentifier() crm_unit_id!: string;
  @Required() @IsFlag() occupied!: boolean;
  @RequiredWhen('occupied', true) @IsDateOnly() move_in_date?: string;
  @RequiredWhen('occupied', true) @IsNested(Tenant) tenant?: Tenant;
  @Optional() @IsMoney() balance_due?: number;
  @Nullable() @IsDateOnly() paid_through_date?: string | null;
}

export class Zones {
  @Required() @IsListOfText({ min: 1, max: 3 }) zone_ids!: string[];
}
