import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  ValidateIf,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { FED_TYPES } from '#domain/history/index.js';
import { DELIVERY_STATES, type DeliveryState } from '#domain/webhooks/index.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { fieldRule, IsName, Says } from '#web/validation/decorators.js';
import { IsCursor, IsPageLimit } from '#web/validation/page-query.js';
import { isGiven } from '#web/validation/presence.js';
import { notOfForm, rule } from '#web/validation/rules.js';

const MOST_TYPES = 100;
const LONGEST_URL = 2_048;
/** The most deliveries in a page: each may list thirty attempts. */
const MOST_DELIVERIES = 100;
export const USUAL_DELIVERIES = 20;

const URL_TEXT =
  'https, at most 2,048 characters, without user name and password. Loopback and private addresses are refused unless the service allows them.';
const TYPES_TEXT = 'Types of events, as `type` of `GET /events`. Null: all.';
const DESCRIPTION_TEXT = 'Text of 1 to 255 characters, none of them invisible. Null: none.';

const IsWebhookUrl = () =>
  fieldRule(
    'isWebhookUrl',
    rule({ type: 'string', format: 'uri', maxLength: LONGEST_URL }, (value) =>
      isWebhookUrl(value)
        ? undefined
        : notOfForm(
            value,
            'must be an https URL of at most 2048 characters, without user name and password.',
          ),
    ),
  );

/** Whether http is allowed depends on the service's settings, which the controller knows. */
function isWebhookUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_URL || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const IsTypeList = () =>
  applyDecorators(IsIn(FED_TYPES, { each: true }), ArrayMaxSize(MOST_TYPES), ArrayMinSize(1), IsArray());

export class WebhookBody {
  @Says(URL_TEXT)
  @IsWebhookUrl()
  readonly url!: string;

  @Says(`${TYPES_TEXT} Left out: all.`)
  @IsOptional()
  @IsTypeList()
  readonly types?: readonly string[] | null;

  @Says(`${DESCRIPTION_TEXT} Left out: none.`)
  @IsOptional()
  @IsName()
  readonly description?: string | null;
}

@NeedsAField()
export class WebhookChangeBody {
  @Says(`${URL_TEXT} Left out: it stays.`)
  @ValidateIf(isGiven)
  @IsWebhookUrl()
  readonly url?: string;

  @Says(`${TYPES_TEXT} Left out: they stay.`)
  @IsOptional()
  @IsTypeList()
  readonly types?: readonly string[] | null;

  @Says(`${DESCRIPTION_TEXT} Left out: it stays.`)
  @IsOptional()
  @IsName()
  readonly description?: string | null;

  @Says('False: no message is sent. True: messages begin with the next event. Left out: it stays.')
  @ValidateIf(isGiven)
  @IsBoolean()
  readonly enabled?: boolean;
}

export class DeliveriesQuery {
  @Says('Only deliveries in this state. Left out: all.')
  @ValidateIf(isGiven)
  @IsIn(DELIVERY_STATES)
  readonly state?: DeliveryState;

  @IsCursor() readonly cursor?: string;
  @IsPageLimit({ most: MOST_DELIVERIES, usual: USUAL_DELIVERIES }) readonly limit?: number;
}
