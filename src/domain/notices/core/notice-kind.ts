import type { LocationNotices } from '#domain/locations/core/notices.js';

/** What a text is about. Stored and published. */
export type NoticeKind = keyof LocationNotices;

/** In the order in which texts that are due at once are sent. */
export const NOTICE_KINDS: readonly NoticeKind[] = ['closed', 'opened', 'closes_in_days', 'welcome'];
