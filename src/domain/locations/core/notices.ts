/** Which texts the location's tenants get (decisions §11). */
export interface LocationNotices {
  readonly welcome: boolean;
  /** So many local days before a unit closes. Null: no such text. */
  readonly closes_in_days: number | null;
  readonly closed: boolean;
  readonly opened: boolean;
}

export const NO_NOTICES: LocationNotices = {
  welcome: false,
  closes_in_days: null,
  closed: false,
  opened: false,
};

export const MOST_CLOSES_IN_DAYS = 14;

/** Since when each text is on, in milliseconds. Null: it is off. States that are older are not told. */
export type NoticesSince = { readonly [Name in keyof LocationNotices]: number | null };

export const NEVER_NOTICED: NoticesSince = {
  welcome: null,
  closes_in_days: null,
  closed: null,
  opened: null,
};

const NAMES = Object.keys(NO_NOTICES) as (keyof LocationNotices)[];

export function isOn(value: LocationNotices[keyof LocationNotices]): boolean {
  return value !== false && value !== null;
}

/** What is on already keeps its instant. @param at milliseconds */
export function sinceAfter(since: NoticesSince, notices: LocationNotices, at: number): NoticesSince {
  const entries = NAMES.map((name) => [name, isOn(notices[name]) ? (since[name] ?? at) : null] as const);
  return Object.fromEntries(entries) as NoticesSince;
}
