import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import * as field from '#web/openapi/fields.js';
import { NeedsAField } from '#web/validation/needs-a-field.js';
import {
  Example,
  IsDateOnly,
  IsIdentifier,
  IsMoney,
  IsName,
  IsPhone,
  IsTimestamp,
  IsVisibleText,
  Says,
} from '#web/validation/decorators.js';
import { isGiven } from '#web/validation/presence.js';
import { LONGEST_TEXT } from '#web/validation/rules.js';
import {
  type ChangeableFacts,
  type FactDeclaration,
  type FactKind,
  factOf,
  WRITABLE_FACTS,
  type WritableFact,
} from '#domain/units/index.js';

/** Body of a move-in (specification §4.1). Personal details are refused as unknown fields. */
export class MoveInBody {
  static readonly hintsForUnknown = Object.fromEntries(
    ['name', 'first_name', 'last_name', 'email', 'phone', 'tenant'].map((name) => [
      name,
      'A move-in names no person. A bulk does, in tenant.',
    ]),
  );
  @Says(
    'The tenant who moves in. Another tenant than the present one replaces the tenancy: shares and an override end, other facts stay with a warning.',
  )
  @IsVisibleText()
  pms_tenant_id!: string;
  @Says(
    'First day of the lease, in the time zone of the location. Before it access is denied (`future_move_in`).',
  )
  @IsDateOnly()
  move_in_date!: string;
  @Says(
    'The ledger of this tenancy, in the words of the PMS. Left out: the same tenant keeps it, another has none. Null: none.',
  )
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  ledger_id?: string | null;
  @Says(
    'Used only when the unit is created; left out: the `crm_unit_id`. On an existing unit another name is ignored with the warning `unit_name_ignored`.',
  )
  @ValidateIf(isGiven)
  @IsName()
  unit_name?: string;
  @Says(
    'Where a new unit is. It may be left out if the company has exactly one location. An unknown code is refused. For an existing unit another code than its own is refused (`unit_at_other_location`).',
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  pms_location_code?: string;
}

/** The checks of each kind of fact. Null resets a date or a text. */
const FACT_RULES: Readonly<Record<FactKind, (fact: FactDeclaration) => PropertyDecorator[]>> = {
  amount: () => [ValidateIf(isGiven), IsMoney()],
  date: () => [IsOptional(), IsDateOnly()],
  flag: () => [ValidateIf(isGiven), IsBoolean()],
  text: ({ longest = LONGEST_TEXT }) => [IsOptional(), IsVisibleText({ min: 0, max: longest })],
};

const StatedFacts = class {} as new () => { -readonly [Name in WritableFact]?: ChangeableFacts[Name] };
for (const name of WRITABLE_FACTS) {
  const fact = factOf(name);
  const said = `${fact.description} Left out: it stays.`;
  for (const rule of [...FACT_RULES[fact.kind](fact), Example(fact.example), Says(said)])
    rule(StatedFacts.prototype as object, name);
}

/** The facts that a write may set directly. Absent facts do not change. Amounts are decimal numbers. */
@NeedsAField()
export class FactsBody extends StatedFacts {
  static readonly hintsForUnknown: Readonly<Record<string, string>> = Object.fromEntries(
    ['occupied', 'tenant_id', 'pms_tenant_id', 'move_in_date'].map((name) => [
      name,
      'Move in with PUT …/tenancy, out with DELETE …/tenancy.',
    ]),
  );
}

export class TenantBody {
  @Says(
    "The PMS's identifier of the tenant. It belongs to the location: the same value elsewhere is another account.",
  )
  @IsVisibleText()
  pms_tenant_id!: string;
  @Says('First name. Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  first_name!: string;
  @Says('Last name. Text of 1 to 255 characters, none of them invisible.')
  @IsName()
  last_name!: string;
  @Says('E-mail address, at most 254 characters. Left out: it stays. Null: it is cleared.')
  @IsOptional()
  @IsEmail()
  email?: string | null;
  @Says(
    'International format with a leading +: the tenant signs in with it. Left out: it stays. Null: it is cleared. A change ends the sessions of the tenant.',
  )
  @IsOptional()
  @IsPhone()
  phone?: string | null;
}

/** The identifier by which `errors` name an entry. */
export class BulkIdentifier {
  @Says(field.crm_unit_id.description!)
  @IsIdentifier()
  crm_unit_id!: string;
}

/** One unit of a bulk. `entryFaults` checks the rules that depend on `occupied`. */
export class BulkEntry extends FactsBody {
  static override readonly hintsForUnknown = {};
  @Says(
    'The unit. 1 to 128 characters, none invisible, not beginning with `ulid:`. Twice in one request refuses the whole request. A value that breaks a rule is an error of this entry alone.',
  )
  @IsIdentifier()
  crm_unit_id!: string;
  @Says(
    'True: the unit is rented to the tenant named here. False: a move-out that resets the facts first; flags of this entry then apply.',
  )
  @IsBoolean()
  occupied!: boolean;
  @Says(
    'Used only when the unit is created; left out: the `crm_unit_id`. On an existing unit another name is ignored with a warning.',
  )
  @ValidateIf(isGiven)
  @IsName()
  unit_name?: string;
  @Says(
    'Where a new unit is. It may be left out if the company has exactly one location. For an existing unit another code than its own is refused (`unit_at_other_location`).',
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  pms_location_code?: string;
  @Says(
    'The tenant. An occupied unit needs this or `tenant`; both must agree. Refused with `occupied: false`, unless null.',
  )
  @IsOptional()
  @IsVisibleText()
  pms_tenant_id?: string | null;
  @Says(
    'The tenant with contact details. Contacts come only by bulk, never by a move-in. Refused with `occupied: false`, unless null.',
  )
  @IsOptional()
  @ValidateNested()
  @Type(() => TenantBody)
  tenant?: TenantBody | null;
  @Says('The ledger of the tenancy. Left out: the same tenant keeps it. Null: none.')
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  ledger_id?: string | null;
  @Says('Required when `occupied` is true. First day of the lease. Left out or null only for a vacant unit.')
  @IsOptional()
  @IsDateOnly()
  move_in_date?: string | null;
}

/** The fields of a bulk other than `units`. */
export class BulkOptions {
  @Says(
    'When the PMS took the state that it sends; at most 5 minutes ahead. A unit that something newer changed is left as it is and listed in `skipped`: a move-in, move-out, PATCH or bulk without `snapshot_at` after it, or a bulk with a later `snapshot_at`. Left out: now, and nothing is skipped.',
  )
  @ValidateIf(isGiven)
  @IsTimestamp()
  @Example('2026-01-01T00:00:00.000Z')
  snapshot_at?: string;
}

/** Most `crm_unit_id`s in `known`. */
const MOST_KNOWN = 20_000;
const MOST_LOCATIONS = 500;

/** The fields of a comparison other than `units`. */
export class CompareOptions extends BulkOptions {
  @Says(
    `\`pms_location_code\`s of the locations whose units the request names all, in \`units\` and \`known\` together; at most ${MOST_LOCATIONS}. Units there that it does not name are listed in \`missing_given\`. Left out: none, and nothing is listed.`,
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(MOST_LOCATIONS)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  @Example(['MAIN'])
  complete_locations?: string[];
  @Says(
    `\`crm_unit_id\`s of units that are there and not in \`units\`, at most ${MOST_KNOWN}: they are not compared, and not missing. Left out: none.`,
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(MOST_KNOWN)
  @IsString({ each: true })
  @MaxLength(LONGEST_TEXT, { each: true })
  @Example(['A-102'])
  known?: string[];
}

export class UnitWriteQuery {
  @Says(
    '`true`: answers as the write would, and writes nothing. Left out: `false`. A dry run that would create a unit answers 200.',
  )
  @ValidateIf(isGiven)
  @IsBoolean()
  dry_run?: boolean;
}
