import 'reflect-metadata';
import Ajv from 'ajv/dist/2020.js';
import { Type } from 'class-transformer';
import { IsBoolean, ValidateIf, ValidateNested } from 'class-validator';
import { errorsOf } from '#kernel/errors/field-fault.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { isGiven } from '#web/validation/presence.js';
import { checkEntry } from '#web/validation/check.js';
import { schemaOf } from '#web/openapi/dto-schema.js';

@NeedsAField()
class Change {
  @ValidateIf(isGiven) @IsBoolean() flag?: boolean;
}

class Whole extends Change {
  @ValidateIf(isGiven) @IsBoolean() other?: boolean;
}

class Trial {
  @ValidateNested() @Type(() => Change) change!: Change;
}

const TEXT = 'field must name at least one field to change.';

describe('a change', () => {
  it.each([
    [Change, {}, { body: [`The body ${TEXT}`] }],
    [Change, { flag: true }, undefined],
    [Change, { unknown: 1 }, { unknown: ['The unknown field is not allowed.'] }],
    [Trial, { change: {} }, { change: [`The change ${TEXT}`] }],
    [Trial, { change: { flag: false } }, undefined],
    [Whole, {}, undefined],
  ])('names something, unless it is part of more, and its schema says so %#', (dto, body, errors) => {
    const faults = checkEntry(dto, body);
    expect(faults && { ...errorsOf(faults) }).toEqual(errors);
    expect(new Ajv({ strict: false }).validate(schemaOf(dto), body)).toBe(errors === undefined);
  });
});
