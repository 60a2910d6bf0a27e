import { IsEmail, IsOptional, ValidateIf } from 'class-validator';
import { IsChange } from '../http/validation/change.js';
import { IsName, IsPhone, IsVisibleText, Says } from '../http/validation/decorators.js';
import { isGiven } from '../http/validation/presence.js';

export class NewTenant {
  @Says('Identifier of the account, unique at the location. A taken one is refused.')
  @IsVisibleText()
  pms_tenant_id!: string;
  @Says('Full name. Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  name!: string;
  @Says('E-mail address. Left out or null: none.')
  @IsOptional()
  @IsEmail()
  email?: string | null;
  @Says(
    'International format with a leading +. Left out or null: none. Without it the tenant cannot sign in.',
  )
  @IsOptional()
  @IsPhone()
  phone?: string | null;
}

/** Absent fields do not change; null clears. */
@IsChange()
export class TenantChange {
  @Says('It cannot be changed: another value than the own one is refused.')
  @ValidateIf(isGiven)
  @IsVisibleText()
  pms_tenant_id?: string;
  @Says('Full name. Text of 1 to 255 characters, none of them invisible. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsName()
  name?: string;
  @Says('E-mail address, at most 254 characters. Left out: it stays. Null: it is cleared.')
  @IsOptional()
  @IsEmail()
  email?: string | null;
  @Says(
    'International format. Left out: it stays. Null: it is cleared. A change ends the sessions of the tenant.',
  )
  @IsOptional()
  @IsPhone()
  phone?: string | null;
}
