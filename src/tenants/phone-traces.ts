import { Inject, Injectable } from '@nestjs/common';
import { LoginPlaces } from './login-places.js';
import { OtpCodes } from './otp-codes.js';
import { TextMessages } from './text-messages.js';

/** The records of a phone beside the accounts that have it. */
@Injectable()
export class PhoneTraces {
  constructor(
    private readonly codes: OtpCodes,
    private readonly places: LoginPlaces,
    @Inject(TextMessages) private readonly messages: Pick<TextMessages, 'forget'>,
  ) {}

  /** Removes all of it. Idempotent. @throws StoreUnavailableError */
  async remove(phone: string): Promise<void> {
    await this.codes.remove(phone);
    await this.places.forget(phone);
    await this.messages.forget(phone);
  }
}
