/** To the person who is invited. It names the site alone: the number may be mistyped. */
export function invitationText(site: string): string {
  return `Somebody shares a storage unit at ${site} with you. Sign in to the app with this number, and enter the code that they tell you.`;
}

interface AcceptedShare {
  readonly site: string;
  readonly timezone: string;
  readonly unit_name: string;
  /** Milliseconds. */
  readonly until: number;
}

/** To the tenant. It names nobody: the app does. */
export function acceptedText({ site, timezone, unit_name, until }: AcceptedShare): string {
  const end = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(until);
  return `${site}: somebody has accepted your invitation, and can open unit ${unit_name} until ${end}. You can end that in the app.`;
}
