import { schemaOf } from '../../http/index.js';
import { BulkEntry } from '../unit.dto.js';
import { LARGEST_BULK } from './bulk-entries.js';

/** The body of a bulk, which `readBulk` reads by itself so that each entry can be refused by itself. */
export const BULK_BODY_SCHEMA = {
  title: 'BulkBody',
  type: 'object',
  additionalProperties: false,
  required: ['units'],
  properties: {
    units: { type: 'array', minItems: 1, maxItems: LARGEST_BULK, items: schemaOf(BulkEntry) },
  },
};
