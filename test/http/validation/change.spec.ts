import 'reflect-metadata';
import Ajv from 'ajv/dist/2020.js';
import { Type } from 'class-transformer';
import { IsBoolean, ValidateIf, ValidateNested } from 'class-validator';
import { errorsOf } from '../../../src/http/field-fault.js';
import { IsChange } from '../../../src/http/validation/change.js';
import { isGiven } from '../../../src/http/validation/presence.js';
import { checkEntry } from '../../../src/http/validation/valid.js';
import { schemaOf } from '../../../src/http/openapi/dto-schema.js';

@IsChange()
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
