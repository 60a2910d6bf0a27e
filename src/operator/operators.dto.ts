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
import { IsChange, isGiven, LONGEST_TEXT, OPERATOR_ROLES, type OperatorRole } from '../http/index.js';
import { PASSWORD_LENGTH } from '../config/password-length.js';

const MOST_COMPANIES = 1_000;

export class LoginBody {
  @IsString() @Length(1, LONGEST_TEXT) readonly email!: string;
  @IsString() @Length(1, 1_000) readonly password!: string;
}

export class NewOperatorBody {
  @IsEmail() readonly email!: string;
  @IsString() @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max) readonly password!: string;
  @IsIn(OPERATOR_ROLES) readonly role!: OperatorRole;
  /** Absent or null: all of them. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_COMPANIES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly companies?: readonly string[] | null;
  @ValidateIf(isGiven) @IsBoolean() readonly disabled?: boolean;
}

@IsChange()
export class OperatorChangeBody {
  @ValidateIf(isGiven) @IsEmail() readonly email?: string;
  @ValidateIf(isGiven)
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  readonly password?: string;
  @ValidateIf(isGiven) @IsIn(OPERATOR_ROLES) readonly role?: OperatorRole;
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_COMPANIES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  readonly companies?: readonly string[] | null;
  @ValidateIf(isGiven) @IsBoolean() readonly disabled?: boolean;
}

export class PasswordBody {
  @IsString() @Length(1, 1_000) readonly current!: string;
  @IsString() @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max) readonly next!: string;
}
