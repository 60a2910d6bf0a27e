import { Says } from '#web/validation/decorators.js';
import { IsTextUpTo } from '../operator-proof.dto.js';

/** By the standard, in characters. */
const LONGEST_SUBJECT = 255;

export class SubjectBody {
  @Says('The person’s `sub` at the identity provider, as its identity tokens for this service have it.')
  @IsTextUpTo(LONGEST_SUBJECT)
  readonly subject!: string;
}
