import { Get, Inject, Param, Post } from '@nestjs/common';
import type { Ids } from '../../config/ids.js';
import { IDS } from '../../config/injection-tokens.js';
import {
  Context,
  ForOperators,
  ObjectBody,
  PlainQuery,
  validForm,
  type OperatorContext,
} from '../../http/index.js';
import { CompaniesController, NewLocationBody, SandboxClockController } from '../../operator/index.js';
import { formOf, onceFor } from '../frame/once.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfList } from '../parts/csv.js';
import { Field, Form } from '../parts/form.js';
import { Empty, ListEnd, Section, Table } from '../parts/layout.js';
import { pageOf } from '../parts/page-of.js';
import { mayDo } from '../parts/roles.js';
import { CompanyFrame, companyPath, zoneOf } from './company-frame.js';
import { ClockForm, SandboxClock, secondsOf } from './sandbox-clock.js';

const PAGE = 100;

/** A company and its locations. */
@ForOperators('auditor')
@Pages('dashboard/companies/:company_id')
export class CompanyPages {
  constructor(
    private readonly companies: CompaniesController,
    private readonly clock: SandboxClockController,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  @Get()
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(company_id, context, { cursor });
  }

  @Get('locations.csv')
  async csv(@Param('company_id') company_id: string): Promise<StreamedDownload> {
    const { locations } = (await this.companies.one(company_id)).data;
    return csvOfList('locations', COLUMNS, locations);
  }

  @ForOperators('manager')
  @Post('locations')
  addLocation(
    @Param('company_id') company_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'location',
      values: form,
      act: async () => {
        const added = await this.companies.addLocation(company_id, validForm(NewLocationBody, form), context);
        return new SeeOther(`/dashboard/locations/${added.data.location_id}`, 'location_added');
      },
      again: (refused) => this.#page(company_id, context, { refused }),
    });
  }

  @ForOperators('manager')
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
        // The log is asked whether the form was sent before: a button that is pressed twice must not go twice as far.
        const asked = ['sandbox clock form', company_id, String(body.advance_seconds)] as const;
        await this.clock.advance(company_id, body, onceFor(form_id, asked, context));
        return new SeeOther(companyPath(company_id), 'advanced');
      },
      again: (refused) => this.#page(company_id, context, { refused }),
    });
  }

  async #page(
    company_id: string,
    { principal }: OperatorContext,
    { refused, cursor }: { readonly refused?: Refused; readonly cursor?: string | undefined },
  ): Promise<Page> {
    const company = (await this.companies.one(company_id)).data;
    const { name, locations, clock } = company;
    const key = ({ location_id }: LocationRow) => location_id;
    const { shown, next_cursor } = pageOf(locations, { cursor, limit: PAGE, key });
    const path = companyPath(company_id);
    const content = (
      <CompanyFrame company={company} role={principal.role} current="">
        <Section title="Locations">
          {locations.length === 0 ? (
            <Empty>No location yet. Units belong to a location: its PMS names it by a code.</Empty>
          ) : (
            <>
              <Locations of={shown} />
              <ListEnd path={path} file={`${path}/locations.csv`} cursor={next_cursor} />
            </>
          )}
        </Section>
        {clock === null ? null : (
          <SandboxClock
            company_id={company_id}
            clock={clock}
            zone={zoneOf(locations)}
            mayAdvance={mayDo(principal.role, 'manager')}
            newFormId={() => this.ids.ulid()}
            refused={refused}
          />
        )}
        {mayDo(principal.role, 'manager') ? <NewLocation company_id={company_id} refused={refused} /> : null}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status);
  }
}

interface LocationRow {
  readonly location_id: string;
  readonly name: string;
  readonly pms_location_code: string;
  readonly timezone: string;
}

const COLUMNS = ['location_id', 'name', 'pms_location_code', 'timezone'] as const;

function Locations({ of }: { readonly of: readonly LocationRow[] }) {
  const rows = of.map(({ location_id, name, pms_location_code, timezone }) => ({
    key: location_id,
    cells: [<a href={`/dashboard/locations/${location_id}`}>{name}</a>, pms_location_code, timezone],
  }));
  return <Table caption="Locations" head={['Name', 'PMS code', 'Time zone']} rows={rows} />;
}

function NewLocation({ company_id, refused }: { company_id: string; refused: Refused | undefined }) {
  return (
    <Section title="Add a location">
      <Form name="location" action={`${companyPath(company_id)}/locations`} submit="Add" refused={refused}>
        <Field name="name" label="Name" required maxLength={255} />
        <Field
          name="pms_location_code"
          label="Code in the PMS"
          hint="What the PMS calls the location; it cannot be changed."
          required
          maxLength={255}
        />
        <Field name="timezone" label="Time zone" value="UTC" hint="An IANA name, like America/Chicago." />
      </Form>
    </Section>
  );
}
