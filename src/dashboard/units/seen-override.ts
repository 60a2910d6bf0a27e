import { type ApiError, invalidField } from '#kernel/errors/api-error.js';
import { instantText } from '../parts/words.js';
import type { UnitDetail } from './unit-detail.js';

/** The field in which a form sends what staff had set when its page was shown. */
export const SEEN = 'seen';

const NOTHING = 'nothing';

/** What staff have set, as the value of a field. */
export function overrideTag(override: UnitDetail['override']): string {
  if (override === null) return NOTHING;
  return [override.override, override.expires_at ?? '', override.reason].join(' ');
}

/** What a form of overrides says. */
interface AskedOverride {
  readonly seen?: string | undefined;
  readonly override?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Why a form must not replace what staff have set now: somebody set it after the form's page was shown. Undefined: it may, or
 * it was sent twice. A form that does not say what its page showed is not judged.
 */
export function refuseUnseen(
  { seen, override: asked, reason: given }: AskedOverride,
  { unit_name, override, location }: Pick<UnitDetail, 'unit_name' | 'override' | 'location'>,
): ApiError | undefined {
  if (seen === undefined || override === null || seen === overrideTag(override)) return undefined;
  const { expires_at, reason } = override;
  if (asked === override.override && given === reason) return undefined;
  const done = override.override === 'exempt' ? 'let in' : 'locked out';
  const until = expires_at === null ? '' : ` until ${instantText(expires_at, location.timezone)}`;
  const text = `Somebody has ${done} ${unit_name}${until} since you opened this page: “${reason}”. Send this again to replace that.`;
  return invalidField('reason', 'conflict', text);
}
