import type { EntryPoint } from '#domain/locations/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Refused } from '../page/page.js';
import { gatePath, hoursPath } from '../links/paths.js';
import { Radios } from '../parts/choices.js';
import { Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import type { GatePassage } from './gate-passages.js';
import { HoursPicture, NextDays, type PicturedDay } from './hours-picture.js';

interface GateHoursProps {
  readonly gate: Pick<EntryPoint, 'entry_point_id' | 'location_id' | 'hours'>;
  readonly location: { readonly name: string; readonly timezone: string };
  /** Of the site. */
  readonly week: readonly PicturedDay[];
  /** Of the gate. */
  readonly days: readonly PicturedDay[];
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** Which hours a gate keeps, and what they mean for the next days. */
export function GateHours({ gate, location, week, days, mayChange, refused }: GateHoursProps) {
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
          >
            <Radios
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
        {isAlways ? null : <HoursPicture days={week} />}
        <p>
          <a href={hoursPath(gate.location_id)}>
            {mayChange && !isAlways ? 'Change the hours' : 'The hours'} of {location.name}
          </a>
        </p>
      </Section>
      <NextDays days={days} zone={location.timezone} />
    </>
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
