import { IsEmailAddress, IsName, IsPhone, IsText, Nullable, Optional, Required } from '../http/index.js';

/** A tenant account that an operator creates. */
export class NewTenant {
  @Required() @IsText({ min: 1 }) pms_tenant_id!: string;
  @Required() @IsName() name!: string;
  @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @Optional() @Nullable() @IsPhone() phone?: string | null;
}

/** Details that an operator changes: what is absent stays, null clears. */
export class TenantChange {
  /** Accepted where it is the account's own: it is what makes the account that account. */
  @Optional() @IsText({ min: 1 }) pms_tenant_id?: string;
  @Optional() @IsName() name?: string;
  @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @Optional() @Nullable() @IsPhone() phone?: string | null;
}
