import { join } from 'node:path';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { OutboxSmsSender } from './outbox-sms-sender.js';
import type { SmsSender } from './sms-sender.js';
import { TwilioSmsSender } from './twilio-sms-sender.js';

export function smsAdapter(environment: Pick<Environment, 'sms' | 'data_dir'>, clock: Clock): SmsSender {
  const { sms, data_dir } = environment;
  if (sms.provider === 'twilio') return new TwilioSmsSender(sms, clock);
  return new OutboxSmsSender(join(data_dir, 'sms-outbox.ndjson'), clock);
}
