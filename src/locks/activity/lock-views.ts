import { ACTIVITY_HEADS } from './activity-heads.js';
import { UNIT_ACTIVITY } from './unit-activity.js';

/** Every view collection of this feature, for whoever drops or rebuilds views. */
export const LOCK_VIEWS = [ACTIVITY_HEADS, UNIT_ACTIVITY] as const;

export { ACTIVITY_HEADS, UNIT_ACTIVITY };
