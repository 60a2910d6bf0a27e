import { applyDecorators } from '@nestjs/common';
import { IsString, Length, ValidateIf } from 'class-validator';
import { Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';

export const LONGEST_CODE = 64;

export const IsTextUpTo = (longest: number) => applyDecorators(Length(1, longest), IsString());

export class CurrentPasswordBody {
  @Says('The present password. Not needed in the ten minutes after single sign-on.')
  @ValidateIf(isGiven)
  @IsTextUpTo(1_000)
  readonly current?: string;
}

/** What an operator who has signed in types to prove again who he is. */
export class ProofBody extends CurrentPasswordBody {
  @Says('Six digits of the authenticator. Needed if the operator has a second factor.')
  @ValidateIf(isGiven)
  @IsTextUpTo(LONGEST_CODE)
  readonly code?: string;
}
