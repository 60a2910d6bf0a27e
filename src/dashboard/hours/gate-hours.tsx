import type { AccessHours, EntryPoint } from '#domain/locations/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Refused } from '../page/page.js';
import { gatePath, hoursPath } from '../links/paths.js';
import { Picks } from '../parts/choices.js';
import { Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { GatePassage } from './gate-passages.js';
import { WeekForm } from './hours-form.js';
import { HoursPicture, NextDays, type PicturedDay } from './hours-picture.js';

interface GateHoursProps {
  readonly gate: Pick<EntryPoint, 'entry_point_id' | 'location_id' | 'hours'>;
  readonly location: { readonly name: string; readonly timezone: string };
  /** Of the site. */
  readonly week: readonly PicturedDay[];
  /** Of the site, with their number. */
  readonly stand: { readonly current: AccessHours | null; readonly revision: number | null };
  /** Of the gate. */
  readonly days: readonly PicturedDay[];
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** Which hours a gate keeps, with those of the site to change here, too, and what they mean for the next days. */
export function GateHours(props: GateHoursProps) {
  const { gate, location, week, days, mayChange, refused } = props;
  const isAlways = gate.hours === 'always';
  return (
    <>
      <Section title="Access hours">
        {mayChange ? (
          <Form
            name="gate-hours"
            action={`${gatePath(gate.entry_point_id)}/hours`}
            submit="Save"
            refused={refused}
            withInitial
            tone="quiet"
          >
            <Picks
              name="hours"
              legend="Which hours"
              options={[
                ['location', `The hours of ${location.name}`],
                ['always', 'Always'],
              ]}
              value={gate.hours}
            />
          </Form>
        ) : null}
        {isAlways && !mayChange ? <p>Always open to those who may pass.</p> : null}
        {isAlways || mayChange ? null : <HoursPicture days={week} />}
        {isAlways || !mayChange ? (
          <p>
            <a href={hoursPath(gate.location_id)}>The hours of {location.name}</a>
          </p>
        ) : null}
      </Section>
      {isAlways || !mayChange ? null : <SiteWeek {...props} />}
      <NextDays days={days} zone={location.timezone} />
    </>
  );
}

/** The week of the site, which its other gates keep, too. */
function SiteWeek({ gate, location, week, stand, refused }: GateHoursProps) {
  const path = hoursPath(gate.location_id);
  return (
    <Section title={`The hours of ${location.name}`}>
      <p>
        They hold for every gate that keeps the hours of {location.name}.{' '}
        <a href={path}>Holidays and other days</a>
      </p>
      <WeekForm
        path={path}
        hours={stand.current}
        revision={stand.revision}
        refused={refused}
        previewed={undefined}
        gate={{ entry_point_id: gate.entry_point_id, week }}
      />
    </Section>
  );
}

interface GateNowProps {
  readonly passage: GatePassage;
  readonly inService: boolean;
  readonly zone: string;
}

/** `Open until …, since …` */
export function GateNow({ passage, inService, zone }: GateNowProps) {
  if (!inService) return <>Out of service</>;
  if (passage.kind === 'always') return <>Always open to those who may pass</>;
  const at = (instant: number) => <Instant at={toTimestamp(instant)} zone={zone} />;
  if (passage.kind === 'leaving')
    return (
      <>
        Closed at {at(passage.closed_at)}; opens for those inside until {at(passage.ends_at)}
      </>
    );
  const { since } = passage;
  if (passage.kind === 'passable')
    return (
      <>
        Open until {at(passage.closes_at)}
        {since === null ? null : <>, since {at(since)}</>}
      </>
    );
  return (
    <>
      Closed
      {since === null ? null : <> since {at(since)}</>}
      {passage.opens_at === Infinity ? null : <>, opens {at(passage.opens_at)}</>}
    </>
  );
}
