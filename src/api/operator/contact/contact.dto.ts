import { IsEmail, IsOptional } from 'class-validator';
import { CURRENCIES, isPaymentUrl } from '#domain/locations/index.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import { Example, fieldRule, IsName, IsTypedPhone, Says } from '#web/validation/decorators.js';
import { notOfForm, rule } from '#web/validation/rules.js';

const LONGEST_URL = 2_048;

/** The description gives no list: that would be a page of codes. */
export const IsCurrency = () =>
  fieldRule(
    'isCurrency',
    rule({ type: 'string', pattern: '^[A-Z]{3}$' }, (value) =>
      CURRENCIES.includes(value as string)
        ? undefined
        : notOfForm(value, 'must be a currency of ISO 4217 with two decimals, like USD or EUR.'),
    ),
  );

const IsPaymentUrl = () =>
  fieldRule(
    'isPaymentUrl',
    rule({ type: 'string', format: 'uri-template', maxLength: LONGEST_URL }, (value) =>
      typeof value === 'string' && value.length <= LONGEST_URL && isPaymentUrl(value)
        ? undefined
        : notOfForm(
            value,
            'must be an https URL of at most 2048 characters, without user name and password. Path and query may hold {crm_unit_id} and {pms_tenant_id}.',
          ),
    ),
  );

/** A contact without the payment link. */
@NeedsAField()
export class ReachedBody {
  @Says(
    'As people type it: `(312) 555-0100`, or with +, 00 or 011. It is kept in international format. Null: none. Left out: it stays.',
  )
  @IsOptional()
  @Example('+13125550100')
  @IsTypedPhone()
  readonly phone?: string | null;

  @Says('E-mail address. Null: none. Left out: it stays.')
  @IsOptional()
  @Example('office@example.com')
  @IsEmail()
  readonly email?: string | null;

  @Says('The address in one line, 1 to 255 characters. Null: none. Left out: it stays.')
  @IsOptional()
  @Example('1 Main St, Springfield, IL 62701')
  @IsName()
  readonly address?: string | null;
}

@NeedsAField()
export class ContactBody extends ReachedBody {
  @Says(
    'https, at most 2,048 characters. In path and query it may hold `{crm_unit_id}` and `{pms_tenant_id}`: the service fills them in, encoded, for each unit of the tenant. Only an admin sets it, with a `proof`. Null: none. Left out: it stays.',
  )
  @IsOptional()
  @Example('https://pay.example.com/{pms_tenant_id}?unit={crm_unit_id}')
  @IsPaymentUrl()
  readonly payment_url?: string | null;
}
