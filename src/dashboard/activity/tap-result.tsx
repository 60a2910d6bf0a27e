import { Mark } from '../parts/states.js';
import { unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { accessText, activityText, alarmText, type ReportSummary, type UnitThen } from './activity-text.js';
import { UnitLink } from '../parts/unit-link.js';

/** The effect of a tap. An opening by a tenant who was denied is marked, with the units. A refusal has its cause. */
export function TapResult({ of }: { readonly of: ReportSummary }) {
  const { denied_units = [], units_then = [] } = of;
  if (denied_units.length === 0)
    return (
      <>
        {activityText(of)}
        {units_then.map((unit) => (
          <AsItWas key={unit.unit_id} of={unit} />
        ))}
      </>
    );
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

/** The access of a unit at that time, with the way to all of it. */
function AsItWas({ of: { unit_id, unit_name, at, access, currency } }: { readonly of: UnitThen }) {
  return (
    <span class="hint">
      {' '}
      <a href={withQuery(unitPath(unit_id), { at })}>{unit_name} as it was then</a>:{' '}
      {accessText(access, currency)}
    </span>
  );
}
