import {
  IsEmailAddress,
  IsFlag,
  IsListOfText,
  IsOneOf,
  IsText,
  Nullable,
  OPERATOR_ROLES,
  Optional,
  type OperatorRole,
  Required,
} from '../http/index.js';
import { PASSWORD_LENGTH } from '../config/password-length.js';

const MOST_COMPANIES = 1_000;

export class NewOperatorBody {
  @Required() @IsEmailAddress() readonly email!: string;
  @Required() @IsText(PASSWORD_LENGTH) readonly password!: string;
  @Required() @IsOneOf(OPERATOR_ROLES) readonly role!: OperatorRole;
  /** Absent or null: all of them. */
  @Nullable() @IsListOfText({ min: 1, max: MOST_COMPANIES }) readonly companies?: readonly string[] | null;
  @Optional() @IsFlag() readonly disabled?: boolean;
}

export class OperatorChangeBody {
  @Optional() @IsEmailAddress() readonly email?: string;
  @Optional() @IsText(PASSWORD_LENGTH) readonly password?: string;
  @Optional() @IsOneOf(OPERATOR_ROLES) readonly role?: OperatorRole;
  @Nullable() @IsListOfText({ min: 1, max: MOST_COMPANIES }) readonly companies?: readonly string[] | null;
  @Optional() @IsFlag() readonly disabled?: boolean;
}

export class PasswordBody {
  @Required() @IsText({ min: 1, max: 1_000 }) readonly current!: string;
  @Required() @IsText(PASSWORD_LENGTH) readonly next!: string;
}
