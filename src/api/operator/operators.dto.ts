import { applyDecorators } from '@nestjs/common';
import {
  ArrayMinSize,
  IsBoolean,
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  Length,
  ValidateIf,
} from 'class-validator';
import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { PASSWORD_LENGTH } from '#kernel/password-length.js';
import { IsIdList } from './facility.dto.js';
import { CurrentPasswordBody, IsTextUpTo, LONGEST_CODE } from './operator-proof.dto.js';

const MOST_COMPANIES = 1_000;
const MOST_LOCATIONS = 1_000;

const IsNewPassword = () => applyDecorators(Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max), IsString());

export class LoginBody {
  @Says("The operator's e-mail address.")
  @IsTextUpTo(LONGEST_TEXT)
  readonly email!: string;
  @Says("The operator's password. 5 wrong ones in 60 s for an address answer 429.")
  @IsTextUpTo(1_000)
  readonly password!: string;
  @Says('Six digits of the authenticator, or a recovery code. Needed if the operator has a second factor.')
  @ValidateIf(isGiven)
  @IsTextUpTo(LONGEST_CODE)
  readonly code?: string;
}

export class InvitedOperatorBody {
  @Says('E-mail address, unique. A taken one is refused.')
  @IsEmail()
  readonly email!: string;
  @Says('`auditor` reads, `manager` runs facilities, `admin` does everything.')
  @IsIn(OPERATOR_ROLES)
  readonly role!: OperatorRole;
  @Says('The companies that the operator sees, at most 1,000. Left out or null: all of them.')
  @IsOptional()
  @ArrayMinSize(1)
  @IsIdList(MOST_COMPANIES)
  readonly companies?: readonly string[] | null;
  @Says(
    'The only locations that the operator sees, at most 1,000, each of one of `companies`. Not for an admin. Left out or null: all locations of `companies`.',
  )
  @IsOptional()
  @ArrayMinSize(1)
  @IsIdList(MOST_LOCATIONS)
  readonly locations?: readonly string[] | null;
  @Says('True: the operator cannot sign in. Left out: false.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly disabled?: boolean;
}

export class NewOperatorBody extends InvitedOperatorBody {
  @Says(
    '12 to 256 characters. A common or easily guessed one is refused. The operator must change it at the first sign-in. Left out: the answer has an invitation.',
  )
  @ValidateIf(isGiven)
  @IsNewPassword()
  readonly password?: string;
}

@NeedsAField()
export class OperatorChangeBody {
  @Says('E-mail address, unique. A taken one is refused. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsEmail()
  readonly email?: string;
  @Says(
    '12 to 256 characters. A common or easily guessed one is refused. A change ends all sessions. Left out: it stays.',
  )
  @ValidateIf(isGiven)
  @IsNewPassword()
  readonly password?: string;
  @Says('A change ends all sessions. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsIn(OPERATOR_ROLES)
  readonly role?: OperatorRole;
  @Says(
    'The companies that the operator sees, at most 1,000. A change ends all sessions. Left out: it stays. Null: all companies.',
  )
  @IsOptional()
  @ArrayMinSize(1)
  @IsIdList(MOST_COMPANIES)
  readonly companies?: readonly string[] | null;
  @Says(
    'The only locations that the operator sees, at most 1,000, each of one of `companies`. Not for an admin. A change ends all sessions. Left out: it stays. Null: all locations of `companies`.',
  )
  @IsOptional()
  @ArrayMinSize(1)
  @IsIdList(MOST_LOCATIONS)
  readonly locations?: readonly string[] | null;
  @Says('True ends all sessions. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly disabled?: boolean;
}

export class PasswordBody extends CurrentPasswordBody {
  @Says('12 to 256 characters. A common or easily guessed one is refused.')
  @IsNewPassword()
  readonly next!: string;
}

/** What an invited operator types. */
export class InvitationBody {
  @IsNewPassword()
  readonly password!: string;
}

export class SecondFactorSetupBody {
  @Says('The `setup` of the answer that began it.')
  @IsTextUpTo(1_000)
  readonly setup!: string;
  @Says('Six digits of the authenticator.')
  @IsTextUpTo(LONGEST_CODE)
  readonly code!: string;
}

export class SecondFactorRemovalBody extends CurrentPasswordBody {
  @Says('Six digits of the authenticator, or a recovery code.')
  @IsTextUpTo(LONGEST_CODE)
  readonly code!: string;
}

/** The second step of sign-in in the dashboard. */
export class SignInCodeBody {
  @IsTextUpTo(1_000) readonly ticket!: string;
  @IsTextUpTo(LONGEST_CODE) readonly code!: string;
}
