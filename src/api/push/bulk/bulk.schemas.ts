import { schemaOf } from '#web/openapi/dto-schema.js';
import type { Dto } from '#web/validation/decorators.js';
import type { JsonSchema } from '#web/validation/json-schema.js';
import { BulkEntry, BulkOptions, CompareOptions } from '../unit.dto.js';
import { LARGEST_BULK } from './bulk-entries.js';

function bodyOf(options: Dto, title: string, unitsAre: string): JsonSchema {
  const units = {
    description: `1 to ${LARGEST_BULK} units${unitsAre}. Missing, no array, empty or longer: the whole request is refused. So is an entry that is no object, or whose \`crm_unit_id\` is missing or no string. All other faults are errors of their entry.`,
    type: 'array',
    minItems: 1,
    maxItems: LARGEST_BULK,
    items: schemaOf(BulkEntry),
  };
  const { properties } = schemaOf(options);
  return {
    title,
    type: 'object',
    additionalProperties: false,
    required: ['units'],
    properties: { units, ...properties },
  };
}

/** The body of a bulk. `readBulk` reads it, so that entries can be refused one by one. */
export const BULK_BODY_SCHEMA = bodyOf(BulkOptions, 'BulkBody', '');
export const COMPARE_BODY_SCHEMA = bodyOf(CompareOptions, 'CompareBody', ', as a bulk would send them');
