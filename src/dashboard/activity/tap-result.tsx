import { Mark } from '../parts/states.js';
import { activityText, alarmText, type ReportSummary } from './activity-text.js';
import { UnitLink } from '../parts/unit-link.js';

/** The effect of a tap. An opening by a tenant who was denied is marked, with the units. */
export function TapResult({ of }: { readonly of: ReportSummary }) {
  const { denied_units = [] } = of;
  if (denied_units.length === 0) return <>{activityText(of)}</>;
  return (
    <>
      <Mark tone="bad">{alarmText(denied_units)}</Mark>
      {denied_units.map((unit, index) => (
        <>
          {index === 0 ? ' ' : ', '}
          <UnitLink unit={unit} />
        </>
      ))}
      {of.had_key ? <span class="hint"> by a key given out before</span> : null}
    </>
  );
}
