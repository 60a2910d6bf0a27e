import type { ComponentChildren } from 'preact';
import { Tabs, Trail } from '../parts/layout.js';
import { SandboxMark, type ToldClock } from '../parts/sandbox-mark.js';

interface LocationFrameProps {
  readonly location: { readonly location_id: string; readonly company_id: string; readonly timezone: string };
  readonly company: { readonly name: string; readonly clock: ToldClock | null };
  readonly current: string;
  readonly children: ComponentChildren;
}

/** What is around each part of a location's page. */
export function LocationFrame({
  location: { location_id, company_id, timezone },
  company,
  current,
  children,
}: LocationFrameProps) {
  const path = locationPath(location_id);
  const tabs = [
    [path, 'Units'],
    [`${path}/tenants`, 'Tenants'],
    [`${path}/equipment`, 'Locks, zones and gates'],
    [`${path}/policy`, 'Policy'],
    [`${path}/forecast`, 'Forecast'],
  ] as const;
  return (
    <>
      <Trail
        to={[
          ['/dashboard/companies', 'Companies'],
          [`/dashboard/companies/${company_id}`, company.name],
        ]}
      />
      <SandboxMark clock={company.clock} zone={timezone} />
      <Tabs of={tabs} current={`${path}${current}`} />
      {children}
    </>
  );
}

export function locationPath(location_id: string): string {
  return `/dashboard/locations/${encodeURIComponent(location_id)}`;
}
