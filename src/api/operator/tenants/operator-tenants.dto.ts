import { IsEmail, IsOptional, IsString, Length, ValidateIf } from 'class-validator';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { IsName, IsTypedPhone, IsVisibleText, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { ScopeQuery } from '../search-scope.js';

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
    'As people type it: `(312) 555-0100`, or with +, 00 or 011. It is kept in international format. Left out or null: none. Without it the tenant cannot sign in.',
  )
  @IsOptional()
  @IsTypedPhone()
  phone?: string | null;
}

/** Absent fields do not change; null clears. */
@NeedsAField()
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
    'As people type it: `(312) 555-0100`, or with +, 00 or 011. It is kept in international format. Left out: it stays. Null: it is cleared. A change ends the sessions of the tenant.',
  )
  @IsOptional()
  @IsTypedPhone()
  phone?: string | null;
}

export class TenantSearchQuery extends ScopeQuery {
  @Says(
    "The beginning of any word of a name, of an e-mail or a phone number, letters of any case, or the PMS's whole identifier. Left out: all tenants.",
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  q?: string;
}
