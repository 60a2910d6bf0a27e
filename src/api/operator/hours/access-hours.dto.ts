import { ArrayMaxSize, IsArray, IsInt, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { isObject } from '#kernel/core/is-object.js';
import { validationFailed } from '#kernel/errors/api-error.js';
import type { Fault, FieldFault } from '#kernel/errors/field-fault.js';
import { fieldRule, IsDateOnly, IsName, Says } from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { rule } from '#web/validation/rules.js';
import { checkEntry, fieldFault } from '#web/validation/check.js';
import {
  type AccessHours,
  accessHours,
  type DayHours,
  DEFAULT_EXIT_GRACE_MINUTES,
  MOST_EXCEPTIONS,
  MOST_EXIT_GRACE_MINUTES,
} from '#domain/locations/index.js';
import { DAY_HOURS, TIME_PATTERN } from './access-hours.schemas.js';

const TIME = new RegExp(TIME_PATTERN);
const NO_HOURS = 'must be always, closed, or an object with open and close.';

/** The hours of one day. */
const IsDayHours = () => fieldRule('isDayHours', rule(DAY_HOURS, dayHoursFault));

function dayHoursFault(value: unknown): Fault | undefined {
  if (value === 'always' || value === 'closed') return undefined;
  if (typeof value === 'string') return { code: 'unknown_value', text: NO_HOURS };
  if (!isObject(value)) return { code: 'type', text: NO_HOURS };
  const { open, close, ...others } = value;
  if (Object.keys(others).length > 0)
    return { code: 'not_allowed', text: 'must have no fields besides open and close.' };
  return isTime(open) && isTime(close)
    ? undefined
    : { code: 'format', text: 'must have open and close, each a time in the format HH:MM.' };
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value);
}

const OF_DAY = 'The hours that begin on this day. A `close` not after `open` is on the next day.';

export class WeekBody {
  @Says(OF_DAY)
  @IsDayHours()
  readonly mon!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly tue!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly wed!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly thu!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly fri!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly sat!: DayHours;

  @Says(OF_DAY)
  @IsDayHours()
  readonly sun!: DayHours;
}

export class HoursExceptionBody {
  @Says('The date, at most once in the list.')
  @IsDateOnly()
  readonly date!: string;

  @Says('The name of the day for people, for example of a holiday. Left out: it has none.')
  @ValidateIf(isGiven)
  @IsName()
  readonly name?: string;

  @Says('The hours that begin on this date, in place of those of its weekday.')
  @IsDayHours()
  readonly hours!: DayHours;
}

export class AccessHoursBody {
  @Says('The hours of each day of the week.')
  @ValidateNested()
  @Type(() => WeekBody)
  readonly week!: WeekBody;

  @Says('Dates with hours of their own, at most 366. Left out: none.', { entries: HoursExceptionBody })
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(MOST_EXCEPTIONS)
  readonly exceptions?: readonly HoursExceptionBody[];

  @Says('Minutes to leave after closing: until then a gate still opens. Left out: 10.')
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(MOST_EXIT_GRACE_MINUTES)
  readonly exit_grace_minutes?: number;
}

/**
 * The hours of a valid body.
 * @param path the field of the body that holds the hours
 * @throws ApiError 422 at each exception at fault
 */
export function accessHoursOf(
  { week, exceptions = [], exit_grace_minutes = DEFAULT_EXIT_GRACE_MINUTES }: AccessHoursBody,
  path = 'access_hours',
): AccessHours {
  const faults = exceptionFaults(exceptions, `${path}.exceptions`);
  if (faults.length > 0) throw validationFailed(faults);
  return accessHours({ week, exceptions, exit_grace_minutes });
}

const REPEATED_DATE: Fault = { code: 'duplicate', text: 'must not be given twice.' };

/** The faults of days with hours of their own. @param path of their list */
export function exceptionFaults(exceptions: readonly HoursExceptionBody[], path: string): FieldFault[] {
  const dates = new Set<string>();
  return exceptions.flatMap((exception, index): FieldFault[] => {
    const faults = checkEntry(HoursExceptionBody, exception, `${path}.${index}`);
    if (faults !== undefined) return faults;
    const isRepeated = dates.has(exception.date);
    dates.add(exception.date);
    return isRepeated ? [fieldFault(`${path}.${index}.date`, REPEATED_DATE)] : [];
  });
}
