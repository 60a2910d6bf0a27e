import { IsEmail, IsOptional, ValidateIf } from 'class-validator';
import { IsChange, isGiven, IsName, IsPhone, IsVisibleText } from '../http/index.js';

/** A tenant account that an operator creates. */
export class NewTenant {
  @IsVisibleText() pms_tenant_id!: string;
  @IsName() name!: string;
  @IsOptional() @IsEmail() email?: string | null;
  @IsOptional() @IsPhone() phone?: string | null;
}

/** Details that an operator changes: what is absent stays, null clears. */
@IsChange()
export class TenantChange {
  /** Accepted where it is the account's own: it is what makes the account that account. */
  @ValidateIf(isGiven) @IsVisibleText() pms_tenant_id?: string;
  @ValidateIf(isGiven) @IsName() name?: string;
  @IsOptional() @IsEmail() email?: string | null;
  @IsOptional() @IsPhone() phone?: string | null;
}
