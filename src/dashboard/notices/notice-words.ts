import type { NoticeKind, NoticeOutcome } from '#domain/notices/index.js';

export const KIND_NAMES: Readonly<Record<NoticeKind, string>> = {
  welcome: 'Welcome',
  closes_in_days: 'Closes soon',
  closed: 'Closed',
  opened: 'Open again',
};

export const OUTCOME_TEXTS: Readonly<Record<NoticeOutcome, string>> = {
  sent: 'Sent',
  failed: 'Refused by the SMS provider',
  unknown: 'Not known; not sent again',
  no_phone: 'Not sent: no phone',
};
