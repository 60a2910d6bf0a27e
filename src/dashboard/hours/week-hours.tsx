import type { AccessHours } from '#domain/locations/index.js';
import { countText } from '../parts/words.js';
import { HoursPicture, type PicturedDay } from './hours-picture.js';

interface WeekHoursProps {
  readonly week: readonly PicturedDay[];
  /** Null: always open. */
  readonly hours: Pick<AccessHours, 'exit_grace_minutes'> | null;
}

/** The hours of a week for those who may not change them. */
export function WeekHours({ week, hours }: WeekHoursProps) {
  if (hours === null) return null;
  const minutes = hours.exit_grace_minutes;
  return (
    <>
      <HoursPicture days={week} />
      <p class="hint">
        {minutes === 0
          ? 'A gate opens for nobody after closing.'
          : `After closing a gate still opens for ${countText(minutes, 'minute')}, for those who are inside.`}
      </p>
    </>
  );
}
