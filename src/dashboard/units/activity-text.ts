const EVENTS: Readonly<Record<string, string>> = {
  unlock: 'Opened',
  lock: 'Locked',
  attempt: 'Tapped',
};

interface Reported {
  readonly event: string;
  readonly result: string;
  readonly failure_code: string | null;
}

/** The effect of an accepted tap: `Opened`, `Tapped`. */
export function tapText(event: string): string {
  return EVENTS[event] ?? event;
}

/** The effect of a tap: `Opened`, `Denied: no valid key`. */
export function activityText({ event, result, failure_code }: Reported): string {
  if (result !== 'failure') return tapText(event);
  const why = failure_code === null ? '' : `: ${failure_code.replaceAll(/[_.-]+/g, ' ')}`;
  return `${event === 'lock' ? 'Did not lock' : 'Denied'}${why}`;
}
