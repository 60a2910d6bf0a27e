import type { NotifiedOutcome } from '#domain/tenants/index.js';

/** `no_phone`: the tenant has none to which texts may be sent. */
export type NoticeOutcome = NotifiedOutcome | 'no_phone';

export const NOTICE_OUTCOMES: readonly NoticeOutcome[] = ['sent', 'failed', 'unknown', 'no_phone'];
