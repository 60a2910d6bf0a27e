export interface LocationPolicy {
  /** Whole calendar days after `paid_through_date`, 0 to 90. */
  readonly grace_period_days: number;
  /** Integer cents, not negative. Only a higher balance denies access. */
  readonly balance_threshold: number;
  readonly blanket_delinquency: boolean;
  readonly delinquency_mode: 'automatic' | 'pms_flag_only';
  /** IANA time zone in which the location's calendar days begin. */
  readonly timezone: string;
}

export const DEFAULT_POLICY: LocationPolicy = {
  grace_period_days: 5,
  balance_threshold: 0,
  blanket_delinquency: true,
  delinquency_mode: 'automatic',
  timezone: 'UTC',
};
