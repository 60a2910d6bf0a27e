import { Inject, Injectable } from '@nestjs/common';
import { LoginNetworks } from './login-networks.js';
import { OtpCodes } from './otp-codes.js';
import { TextMessages } from './text-messages.js';

/** The records about a phone other than accounts: codes, networks and messages. */
@Injectable()
export class PhoneTraces {
  constructor(
    private readonly codes: OtpCodes,
    private readonly places: LoginNetworks,
    @Inject(TextMessages) private readonly messages: Pick<TextMessages, 'forget'>,
  ) {}

  /** Removes all of them. Idempotent. @throws StoreUnavailableError */
  async remove(phone: string): Promise<void> {
    await this.codes.remove(phone);
    await this.places.forget(phone);
    await this.messages.forget(phone);
  }
}
