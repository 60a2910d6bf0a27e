import type { LocationDocument } from '#domain/locations/index.js';
import { NOTICE_KINDS, type NoticeKind } from './core/notice-kind.js';
import { noticeText } from './core/notice-text.js';

const DAY_MS = 24 * 60 * 60_000;
/** For a location where the text before a closing is off. */
const USUAL_DAYS = 3;
const UNIT = { unit_name: 'A-101', crm_unit_id: 'A-101', pms_tenant_id: '1001' };
/** In cents. */
const OWED = 12_050;

/** Each text of a location, about a unit that is made up. @param now milliseconds */
export function previewTexts(
  { name, policy: { timezone }, contact, currency, notices }: LocationDocument,
  now: number,
): Readonly<Record<NoticeKind, string>> {
  const closes_at = now + (notices.closes_in_days ?? USUAL_DAYS) * DAY_MS;
  const site = { name, timezone, contact, currency };
  const units = [{ ...UNIT, closes_at, isForDebt: true }];
  const texts = NOTICE_KINDS.map((kind) => [kind, noticeText({ kind, units, site, owed: OWED })] as const);
  return Object.fromEntries(texts) as Record<NoticeKind, string>;
}
