import { underTimeLimit } from '#kernel/within.js';
import type { Clock } from '#kernel/clock.js';
import { SmsUnavailableError } from './sms.errors.js';
import type { SmsSender } from './sms-sender.js';

interface TwilioAccount {
  readonly account_sid: string;
  readonly auth_token: string;
  /** The sending number, or a messaging service's id. */
  readonly from: string;
}

export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

const SEND_TIMEOUT_MS = 10_000;

/** Sends through Twilio's REST API. */
export class TwilioSmsSender implements SmsSender {
  constructor(
    private readonly account: TwilioAccount,
    private readonly clock: Clock,
    private readonly fetch: Fetch = globalThis.fetch,
  ) {}

  send(to: string, body: string): Promise<void> {
    return underTimeLimit(
      this.clock,
      SEND_TIMEOUT_MS,
      () => undefined,
      (signal) => this.#post(to, body, signal),
    );
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  async #post(to: string, body: string, signal: AbortSignal): Promise<void> {
    const { account_sid, auth_token, from } = this.account;
    const url = `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`;
    const headers = {
      authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
    const form = new URLSearchParams({ To: to, Body: body, [sender]: from }).toString();
    let status: number;
    let answer: string;
    try {
      const response = await this.fetch(url, { method: 'POST', headers, body: form, signal });
      status = response.status;
      answer = await response.text();
    } catch {
      // The cause is left out, because an error of fetch may contain the request.
      throw new SmsUnavailableError(signal.aborted ? 'no answer in time' : 'not reachable', 'unknown');
    }
    if (status < 200 || status > 299) {
      const outcome = status >= 400 && status < 500 ? 'refused' : 'unknown';
      throw new SmsUnavailableError(`status ${status}${providerCode(answer)}`, outcome);
    }
  }
}

/** Twilio's error number. Its message is left out, because it contains the phone number. */
function providerCode(answer: string): string {
  const code = /"code":\s*(\d{1,6})\b/.exec(answer)?.[1];
  return code === undefined ? '' : `, code ${code}`;
}
