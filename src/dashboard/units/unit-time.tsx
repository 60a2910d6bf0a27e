import { Slider } from './as-of-forms.js';
import { courseOf, type Recorded } from './course.js';
import { CourseLegend, CourseView } from './course-view.js';

interface UnitTimeProps extends Recorded {
  readonly zone: string;
  readonly path: string;
  /** An instant that is looked at, in milliseconds. */
  readonly at?: number | undefined;
}

/** The unit's time as a picture, with a slider as wide as the picture. */
export function UnitTime({ zone, path, at, ...recorded }: UnitTimeProps) {
  const { entries, now } = recorded;
  return (
    <>
      <CourseView course={courseOf(recorded)} zone={zone} path={path} at={at} />
      <Slider path={path} entries={entries} now={now} zone={zone} at={at} />
      <CourseLegend />
    </>
  );
}
