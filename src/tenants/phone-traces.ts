import { Inject, Injectable } from '@nestjs/common';
import { LoginPlaces } from './login-places.js';
import { OtpCodes } from './otp-codes.js';
import { SMS_SENDER, type SmsSender } from './sms/sms-sender.js';

/** What is kept of a phone beside the accounts that have it. */
@Injectable()
export class PhoneTraces {
  constructor(
    private readonly codes: OtpCodes,
    private readonly places: LoginPlaces,
    @Inject(SMS_SENDER) private readonly sms: SmsSender,
  ) {}

  /** Removes all of it. Idempotent. @throws StoreUnavailableError */
  async remove(phone: string): Promise<void> {
    await this.codes.remove(phone);
    await this.places.forget(phone);
    await this.sms.forget(phone);
  }
}
