import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { OPERATOR_ROLES, type OperatorRole } from '../http/authentication.js';
import { IsChange } from '../http/validation/change.js';
import { Says } from '../http/validation/decorators.js';
import { isGiven } from '../http/validation/presence.js';
import { LONGEST_TEXT } from '../http/validation/rules.js';
import { PASSWORD_LENGTH } from '../config/password-length.js';

const MOST_COMPANIES = 1_000;
const LONGEST_CODE = 64;

export class LoginBody {
  @Says("The operator's e-mail address.")
  @IsString()
  @Length(1, LONGEST_TEXT)
  readonly email!: string;
  @Says("The operator's password. 5 wrong ones in 60 s for an address answer 429.")
  @IsString()
  @Length(1, 1_000)
  readonly password!: string;
  @Says('Six digits of the authenticator, or a recovery code. Needed if the operator has a second factor.')
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_CODE)
  readonly code?: string;
}

export class NewOperatorBody {
  @Says('E-mail address, unique. A taken one is refused.')
  @IsEmail()
  readonly email!: string;
  @Says('12 to 256 characters. A common or easily guessed one is refused.')
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  readonly password!: string;
  @Says('`auditor` reads, `manager` runs facilities, `admin` does everything.')
  @IsIn(OPERATOR_ROLES)
  readonly role!: OperatorRole;
  @Says('The companies that the operator sees, at most 1,000. Left out or null: all of them.')
  /** Absent or null: all of them. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_COMPANIES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly companies?: readonly string[] | null;
  @Says('True: the operator cannot sign in. Left out: false.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly disabled?: boolean;
}

@IsChange()
export class OperatorChangeBody {
  @Says('E-mail address, unique. A taken one is refused. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsEmail()
  readonly email?: string;
  @Says(
    '12 to 256 characters. A common or easily guessed one is refused. A change ends all sessions. Left out: it stays.',
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  readonly password?: string;
  @Says('A change ends all sessions. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsIn(OPERATOR_ROLES)
  readonly role?: OperatorRole;
  @Says(
    'The companies that the operator sees, at most 1,000. A change ends all sessions. Left out: it stays. Null: all companies.',
  )
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_COMPANIES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly companies?: readonly string[] | null;
  @Says('True ends all sessions. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly disabled?: boolean;
}

export class PasswordBody {
  @Says('The present password.')
  @IsString()
  @Length(1, 1_000)
  readonly current!: string;
  @Says('12 to 256 characters. A common or easily guessed one is refused.')
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  readonly next!: string;
}

export class SecondFactorBody {
  @Says('The present password.')
  @IsString()
  @Length(1, 1_000)
  readonly current!: string;
}

export class SecondFactorSetupBody {
  @Says('The `setup` of the answer that began it.')
  @IsString()
  @Length(1, 1_000)
  readonly setup!: string;
  @Says('Six digits of the authenticator.')
  @IsString()
  @Length(1, LONGEST_CODE)
  readonly code!: string;
}

export class SecondFactorRemovalBody {
  @Says('The present password.')
  @IsString()
  @Length(1, 1_000)
  readonly current!: string;
  @Says('Six digits of the authenticator, or a recovery code.')
  @IsString()
  @Length(1, LONGEST_CODE)
  readonly code!: string;
}

/** The second step of signing in to the dashboard. */
export class SignInCodeBody {
  @IsString() @Length(1, 1_000) readonly ticket!: string;
  @IsString() @Length(1, LONGEST_CODE) readonly code!: string;
}
