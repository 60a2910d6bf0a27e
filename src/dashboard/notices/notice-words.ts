import type { LocationNotices } from '#domain/locations/index.js';
import type { NoticeKind, NoticeOutcome } from '#domain/notices/index.js';
import { countText, onText } from '../parts/words.js';

export const KIND_NAMES: Readonly<Record<NoticeKind, string>> = {
  welcome: 'Welcome',
  closes_in_days: 'Lockout soon',
  closed: 'Locked out',
  opened: 'Open again',
};

/** Which texts are on, in words: `on`, `off`, `3 days before`. */
export function noticeStates({
  closed,
  opened,
  closes_in_days,
  welcome,
}: LocationNotices): Readonly<Record<NoticeKind, string>> {
  return {
    closed: onText(closed),
    opened: onText(opened),
    closes_in_days: closes_in_days === null ? onText(false) : `${countText(closes_in_days, 'day')} before`,
    welcome: onText(welcome),
  };
}

export const OUTCOME_TEXTS: Readonly<Record<NoticeOutcome, string>> = {
  sent: 'Sent',
  failed: 'Refused by the SMS provider',
  unknown: 'Not known; not sent again',
  no_phone: 'Not sent: no phone',
};
