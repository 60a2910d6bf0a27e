import { Get, Inject, Param, Post } from '@nestjs/common';
import { presentPolicy } from '#domain/access/index.js';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { CompanyAdministration, NewLocationBody, SandboxAdministration } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LockoutDays } from '#domain/history/index.js';
import { DEFAULT_POLICY } from '#domain/locations/index.js';
import { formOf, onceFor } from '../page/once.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { policyFields, withZoneOfCity } from '../locations/policy-form.js';
import { type AddQuery, addPath, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { inMemory } from '../parts/in-memory.js';
import type { MODE_TEXTS } from '../parts/labels.js';
import { Empty, Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { ZoneName } from '../parts/times.js';
import { amountText, countText } from '../parts/words.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import { companyPath, locationPath } from '../links/paths.js';
import { SiteCards } from '../site/site-cards.js';
import { SandboxMessages } from './sandbox-messages.js';
import { ClockForm, SandboxClock, secondsOf } from './sandbox-clock.js';

/** A company and its locations. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly sandboxes: SandboxAdministration,
    private readonly lockouts: LockoutDays,
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  @Get()
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor, add }: AddQuery & { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(company_id, context, { cursor, add });
  }

  @Get('locations.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() { principal }: OperatorContext,
  ): Promise<StreamedDownload> {
    const { locations } = await this.companies.readCompany(company_id, principal);
    return locationList(company_id, locations).csv();
  }

  @ForOperators('manager')
  @ForSiteOperators('refused')
  @Post('locations')
  addLocation(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'location',
      values: form,
      act: async () => {
        const added = await this.companies.addLocation(
          company_id,
          validForm(NewLocationBody, withZoneOfCity(form), ['timezone']),
          context,
        );
        return new SeeOther(locationPath(added.location_id), 'location_added');
      },
      again: (refused) => this.#page(company_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @ForSiteOperators('refused')
  @Post('clock')
  advanceClock(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'clock',
      values: form,
      act: async () => {
        const { form_id, fields } = formOf(form);
        const body = { advance_seconds: secondsOf(validForm(ClockForm, fields)) };
        // The log says whether the form was sent before: a button pressed twice advances once.
        const asked = ['sandbox clock form', company_id, String(body.advance_seconds)] as const;
        await this.sandboxes.advanceClock(company_id, body, onceFor(form_id, asked, context));
        return new SeeOther(companyPath(company_id), 'advanced');
      },
      again: (refused) => this.#page(company_id, context, { refused }),
    });
  }

  async #page(
    company_id: string,
    { principal }: OperatorContext,
    { refused, cursor, add }: AddQuery & { readonly refused?: Refused; readonly cursor?: string | undefined },
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, principal);
    const { name, locations, clock } = company;
    const { page, view } = await locationList(company_id, locations).show(cursor);
    // Clock, test numbers and new locations belong to the company as a whole.
    const seesAll = principal.sites === null;
    const mayChange = seesAll && mayDo(principal.role, 'manager');
    const sandbox = clock === null || !seesAll ? undefined : await this.sandboxes.readMessages(company_id);
    const counted = await this.lockouts.readDays(page.rows.map(({ location_id }) => location_id));
    const now = (await this.clocks.findClock(company_id)).now();
    const content = (
      <CompanyFrame company={company}>
        {locations.length === 0 ? (
          <NoSite path={companyPath(company_id)} mayAdd={mayChange} />
        ) : (
          <>
            <SiteCards sites={page.rows} counted={counted} now={now} />
            <Section title="Codes, time zones and policies">{view}</Section>
          </>
        )}
        {clock === null ? null : (
          <SandboxClock
            company_id={company_id}
            clock={clock}
            zone={zoneOf(locations)}
            mayAdvance={mayChange}
            newFormId={() => this.ids.ulid()}
            refused={refused}
          />
        )}
        {sandbox === undefined ? null : <SandboxMessages {...sandbox} zone={zoneOf(locations)} />}
        {mayChange && <NewLocation company_id={company_id} refused={refused} isOpen={add === 'location'} />}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status, {
      tab: 'Sites',
      heading: 'Sites',
      company_id,
      sub: locations.length.toLocaleString('en-US'),
      acts: mayChange && <DrawerButton form="location">Add site</DrawerButton>,
    });
  }
}

function NoSite({ path, mayAdd }: { readonly path: string; readonly mayAdd: boolean }) {
  return (
    <Section title="No site yet">
      <Empty>
        {mayAdd ? <a href={addPath(path, 'location')}>Add a site</a> : 'Whoever manages it adds a site'}{' '}
        first: units, locks and gates belong to one.
      </Empty>
    </Section>
  );
}

interface LocationRow {
  readonly location_id: string;
  readonly name: string;
  readonly pms_location_code: string;
  readonly timezone: string;
  readonly grace_period_days: number;
  readonly balance_threshold: number;
  readonly delinquency_mode: keyof typeof MODE_TEXTS;
  readonly currency: string;
}

function policyText(location: LocationRow): string {
  const { delinquency_mode, balance_threshold, grace_period_days, currency } = location;
  if (delinquency_mode === 'pms_flag_only') return 'Locks by PMS flags';
  const grace = countText(grace_period_days, 'day');
  return `Locks by balance over ${amountText(balance_threshold, currency)} after ${grace} of grace`;
}

const COLUMNS: readonly Column<LocationRow>[] = [
  { name: 'location_id' },
  {
    title: 'Name',
    name: 'name',
    cell: ({ location_id, name }) => <a href={locationPath(location_id)}>{name}</a>,
  },
  { title: 'PMS code', name: 'pms_location_code' },
  { title: 'Time zone', name: 'timezone', cell: ({ timezone }) => <ZoneName zone={timezone} /> },
  {
    title: 'Policy',
    cell: (location) => <a href={`${locationPath(location.location_id)}/policy`}>{policyText(location)}</a>,
  },
];

function locationList(company_id: string, locations: readonly LocationRow[]) {
  const keyOf = ({ location_id }: LocationRow) => location_id;
  const path = companyPath(company_id);
  return listPage({
    caption: 'Sites',
    name: 'locations',
    path,
    file: `${path}/locations.csv`,
    columns: COLUMNS,
    keyOf,
    read: inMemory(locations, keyOf),
    empty: 'No site yet. Add one to begin.',
  });
}

/** Without a time zone: it must be chosen. A script fills in the browser's. */
const USUAL_POLICY = { ...presentPolicy(DEFAULT_POLICY), timezone: '' };

interface NewLocationProps {
  readonly company_id: string;
  readonly refused: Refused | undefined;
  readonly isOpen: boolean;
}

function NewLocation({ company_id, refused, isOpen }: NewLocationProps) {
  const path = companyPath(company_id);
  return (
    <Drawer
      form="location"
      title="Add site"
      hint="Its units, locks and gates come next."
      {...{ path, refused, isOpen }}
    >
      <Form name="location" action={`${path}/locations`} submit="Add site" refused={refused}>
        <Field name="name" label="Name" required maxLength={255} autofocus />
        <Field
          name="pms_location_code"
          label="Code in the PMS"
          hint="What the PMS calls the site; it cannot be changed."
          required
          maxLength={255}
        />
        {policyFields(USUAL_POLICY)}
      </Form>
    </Drawer>
  );
}
