import { Type } from 'class-transformer';
import {
  Contains,
  IsBoolean,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { errorsOf, type FieldFault } from '#kernel/errors/field-fault.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import { planOf } from '#web/validation/dto-plan.js';
import { checkEntry, validBody } from '#web/validation/check.js';
import { validQuery } from '#web/validation/read-query.js';
import { Entry, Tenant, Zones } from './dtos.js';

/** The messages by field. */
const told = (faults: readonly FieldFault[] = []) => ({ ...errorsOf(faults) });
const fieldsOf = (faults: readonly FieldFault[] = []) => faults.map(({ field }) => field);

const occupied = () => ({
  crm_unit_id: 'A-1',
  occupied: true,
  move_in_date: '2026-01-01',
  tenant: { pms_tenant_id: 'T1', first_name: 'Ada' },
});

describe('the messages of decisions §2', () => {
  it.each([
    ['a list missing', {}, { zone_ids: ['The zone ids field is required.'] }],
    ['a list null', { zone_ids: null }, { zone_ids: ['The zone ids field is required.'] }],
    ['a list that is none', { zone_ids: {} }, { zone_ids: ['The zone ids field must be an array.'] }],
    [
      'a list that is empty',
      { zone_ids: [] },
      { zone_ids: ['The zone ids field must have between 1 and 3 entries.'] },
    ],
    [
      'a list that is too long',
      { zone_ids: ['a', 'b', 'c', 'd'] },
      { zone_ids: ['The zone ids field must have between 1 and 3 entries.'] },
    ],
    ['an unknown field', { zone_ids: ['a'], foo: 1 }, { foo: ['The foo field is not allowed.'] }],
    [
      'an unknown field whose long name is cut within a character',
      { zone_ids: ['a'], [`${'x'.repeat(63)}🙂`]: 1 },
      { [`${'x'.repeat(63)}\ufffd`]: [`The ${'x'.repeat(63)}\ufffd field is not allowed.`] },
    ],
    [
      'an unknown field whose name is no text',
      { zone_ids: ['a'], 'a\ud800🙂': 1 },
      { 'a\ufffd🙂': ['The a\ufffd🙂 field is not allowed.'] },
    ],
  ])('%s', (_what, body, errors) => {
    expect(told(checkEntry(Zones, body))).toEqual(errors);
  });

  it.each([
    ['an entry that is none', 7, { 'units.0': ['The units.0 field must be an object.'] }],
    [
      'an empty entry',
      {},
      {
        'units.0.crm_unit_id': ['The crm unit id field is required.'],
        'units.0.occupied': ['The occupied field is required.'],
      },
    ],
    [
      'a tenant with faults',
      { ...occupied(), tenant: { pms_tenant_id: 5, name: 'x' } },
      {
        'units.0.tenant.pms_tenant_id': ['The pms tenant id field must be a string.'],
        'units.0.tenant.first_name': ['The first name field is required.'],
        'units.0.tenant.name': ['The name field is not allowed.'],
      },
    ],
    [
      'types that are not coerced',
      { ...occupied(), occupied: 'true', balance_due: '12.00', paid_through_date: 20260101 },
      {
        'units.0.occupied': ['The occupied field must be true or false.'],
        'units.0.balance_due': ['The balance due field must be a number.'],
        'units.0.paid_through_date': [
          'The paid through date field must be a valid date in the format YYYY-MM-DD.',
        ],
      },
    ],
  ])('%s', (_what, entry, errors) => {
    expect(told(checkEntry(Entry, entry, 'units.0'))).toEqual(errors);
  });

  it('null is refused with the message of the type where null has no meaning', () => {
    expect(told(checkEntry(Entry, { ...occupied(), balance_due: null, tenant: null }))).toEqual({
      tenant: ['The tenant field must be an object.'],
      balance_due: ['The balance due field must be a number.'],
    });
    const vacant = { crm_unit_id: 'A', occupied: false, tenant: null, paid_through_date: null };
    expect(told(checkEntry(Entry, vacant))).toEqual({
      tenant: ['The tenant field must be an object.'],
    });
  });

  it('each text of a list has a path of its own', () => {
    expect(told(checkEntry(Zones, { zone_ids: ['a', 1, '\u0007'] }))).toEqual({
      'zone_ids.1': ['The zone ids.1 field must be a string.'],
      'zone_ids.2': ['The zone ids.2 field must not contain control characters.'],
    });
  });

  it('an entry can be checked on its own, under its path in the whole', () => {
    expect(checkEntry(Entry, occupied(), 'units.3')).toBeUndefined();
    expect(told(checkEntry(Entry, { ...occupied(), move_in_date: '2026-02-30' }, 'units.3'))).toEqual({
      'units.3.move_in_date': ['The move in date field must be a valid date in the format YYYY-MM-DD.'],
    });
  });

  it('each fault has a code', () => {
    const entry = { occupied: 'true', crm_unit_id: '', move_in_date: '2026-02-30', tenant: null, foo: 1 };
    const codes = checkEntry(Entry, entry, 'units.0')!.map(({ field, code }) => [field, code]);
    expect(Object.fromEntries(codes)).toEqual({
      'units.0.crm_unit_id': 'too_short',
      'units.0.occupied': 'type',
      'units.0.move_in_date': 'format',
      'units.0.tenant': 'type',
      'units.0.foo': 'not_allowed',
    });
    expect(checkEntry(Zones, {})).toMatchObject([{ field: 'zone_ids', code: 'required' }]);
  });

  it('names as many unknown fields as a person can read', () => {
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, 1]));
    const errors = checkEntry(Tenant, { ...body, pms_tenant_id: 'T', first_name: 'A' });
    expect(errors).toHaveLength(20);
  });
});

describe('a valid value', () => {
  it('comes back as it is, a plain object', () => {
    const body = occupied();
    expect(validBody(planOf(Entry), body)).toBe(body);
  });

  it('does not take its fields from a prototype', () => {
    const given: unknown = JSON.parse('{"__proto__":{"pms_tenant_id":"T","first_name":"A"}}');
    expect(told(checkEntry(Tenant, given))).toMatchObject({
      pms_tenant_id: ['The pms tenant id field is required.'],
      ['__proto__']: ['The __proto__ field is not allowed.'],
    });
  });

  it('of a query is a plain object too', () => {
    expect(Object.getPrototypeOf(validQuery(Tenant, { pms_tenant_id: 'T', first_name: 'A' }))).toBe(
      Object.prototype,
    );
  });
});

describe('a class that cannot be compiled', () => {
  class Foreign {
    @IsString() @MaxLength(5) @Contains('a') name!: string;
  }
  class Endless {
    @IsString() name!: string;
  }
  class Several {
    @IsString() @MaxLength(5) @IsBoolean() name!: string;
  }
  class Untyped {
    @IsOptional() name?: string;
  }
  class Conditional {
    @ValidateIf(() => false) @IsBoolean() name?: boolean;
  }
  class Undecided {
    @IsOptional() @ValidateIf(isGiven) @IsBoolean() name?: boolean;
  }
  class Nameless {
    @ValidateNested() name!: object;
  }
  class Nothing {}

  it.each([
    ['Foreign.name uses contains, which nothing reads beside isString.', Foreign],
    ['Endless.name has no maxLength.', Endless],
    ['Several.name has no type, or several.', Several],
    ['Untyped.name has no type.', Untyped],
    ['Conditional.name carries a condition other than isGiven.', Conditional],
    ['Undecided.name says more than once when it must be there.', Undecided],
    ['Nameless.name nests an object whose class no @Type names.', Nameless],
    ['Nothing declares no field.', Nothing],
  ])('is refused: %s', (message, declared) => {
    expect(() => planOf(declared)).toThrow(message);
  });

  it('is refused each time when it is nested in another', () => {
    class Outer {
      @ValidateNested() @Type(() => Endless) inner!: Endless;
    }
    const compile = () => planOf(Outer);
    expect(compile).toThrow('Endless.name has no maxLength.');
    expect(compile).toThrow('Endless.name has no maxLength.');
  });
});

describe('inheritance', () => {
  class Base {
    @IsString() @MaxLength(LONGEST_TEXT) name!: string;
  }
  class Derived extends Base {
    @ValidateIf(isGiven) @IsString() @MaxLength(LONGEST_TEXT) nickname?: string;
  }

  it('brings the fields of the base class', () => {
    expect(told(checkEntry(Derived, { nickname: 1 }))).toEqual({
      nickname: ['The nickname field must be a string.'],
      name: ['The name field is required.'],
    });
  });
});

describe('class-validator itself', () => {
  it.each([
    ['a type', { pms_tenant_id: 5, first_name: 'A' }, ['pms_tenant_id']],
    ['a bound', { pms_tenant_id: '', first_name: 'x'.repeat(256) }, ['pms_tenant_id', 'first_name']],
    ['what is missing', { first_name: 'A' }, ['pms_tenant_id']],
    ['null that stands for nothing', { pms_tenant_id: 'T', first_name: 'A', email: null }, ['email']],
    ['nothing', { pms_tenant_id: 'T', first_name: 'A' }, []],
  ])('refuses the same: %s', (_what, given, fields) => {
    const errors = validateSync(Object.assign(new Tenant(), given));
    expect(errors.map(({ property }) => property)).toEqual(fields);
    expect(fieldsOf(checkEntry(Tenant, given))).toEqual(fields);
  });

  it.each([
    ['vacant', { occupied: false }, []],
    ['vacant with null', { occupied: false, tenant: null }, ['tenant']],
  ])('asks for the same: an entry %s', (_what, given, fields) => {
    const entry = { crm_unit_id: 'A', ...given };
    const errors = validateSync(Object.assign(new Entry(), entry));
    expect(errors.map(({ property }) => property)).toEqual(fields);
    expect(fieldsOf(checkEntry(Entry, entry))).toEqual(fields);
  });

  it("says the domain's sentences", () => {
    const [error] = validateSync(Object.assign(new Entry(), { crm_unit_id: 5, occupied: false }));
    expect(Object.values(error?.constraints ?? {})).toEqual(['The crm unit id field must be a string.']);
  });
});
