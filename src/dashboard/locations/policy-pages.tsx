import { Get, Param, Post } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
  ObjectBody,
  PlainQuery,
  validForm,
  type OperatorContext,
  type DataOf,
} from '../../http/index.js';
import {
  LARGEST_TRIAL,
  LocationChangeBody,
  LocationOutlookController,
  LocationsController,
} from '../../operator/index.js';
import { type FormValues, Page, type Refused, SeeOther } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { Checkbox, Field, Form, Select } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { changesNothing, emptiedIn, fieldsOf, validChange } from '../parts/standing.js';
import { amountText } from '../parts/words.js';
import { Backtest, type Tried } from './backtest.js';
import { FramedLocation } from './framed-location.js';
import { LocationFrame, locationPath } from './location-frame.js';

type Location = DataOf<LocationsController['one']>;

/** What a policy is tried on before it is saved. */
const TRIED_DAYS = 90;

const MODES = [
  ['automatic', 'by balance and date, and by the flags of the PMS'],
  ['pms_flag_only', 'by the flags of the PMS alone'],
] as const;

/** The policy by which a location locks out. */
@ForOperators('auditor')
@Pages('dashboard/locations/:location_id/policy')
export class PolicyPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationsController,
    private readonly outlook: LocationOutlookController,
  ) {}

  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() _query: object,
    @Context() context: OperatorContext,
  ) {
    return this.#page(location_id, context);
  }

  @ForOperators('manager')
  @Post()
  change(
    @Param('location_id') location_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'policy',
      values: form,
      act: async () => {
        const path = `${locationPath(location_id)}/policy`;
        if (changesNothing(form)) return new SeeOther(path, 'unchanged');
        const body = validChange(LocationChangeBody, form);
        await this.locations.change(location_id, body, context);
        return new SeeOther(path, 'policy');
      },
      again: (refused) => this.#page(location_id, context, refused),
    });
  }

  /** Saves nothing: shows what the policy would have done, with the form as it was filled in. */
  @ForOperators('manager')
  @Costly()
  @Post('try')
  tryOut(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'policy',
      values: form,
      act: async () => {
        const policy = validForm(LocationChangeBody, fieldsOf(form), emptiedIn(form));
        const body = { policy, days: TRIED_DAYS };
        const tried = await this.outlook.tryOut(location_id, body, { limit: LARGEST_TRIAL }, context);
        const kept = { form: 'policy', values: form, status: 200, message: '', errors: {} };
        return this.#page(location_id, context, kept, tried.data);
      },
      again: (refused) => this.#page(location_id, context, refused),
    });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    refused?: Refused,
    tried?: Tried,
  ): Promise<Page> {
    const { location, company } = await this.framed.of(location_id);
    const content = (
      <LocationFrame location={location} company={company} current="/policy">
        {tried === undefined ? null : <Backtest of={tried} days={TRIED_DAYS} zone={location.timezone} />}
        <Section title="Policy">
          {mayDo(principal.role, 'manager') ? (
            <Change location={location} refused={refused} />
          ) : (
            <Shown location={location} />
          )}
        </Section>
      </LocationFrame>
    );
    return new Page(location.name, content, refused?.status);
  }
}

function Shown({ location }: { readonly location: Location }) {
  return (
    <Facts
      of={[
        ['Time zone', location.timezone],
        ['Days of grace', String(location.grace_period_days)],
        ['Balance that is let pass', amountText(location.balance_threshold)],
        ['Past due on one unit locks all', location.blanket_delinquency ? 'yes' : 'no'],
        ['Locks out', MODES.find(([mode]) => mode === location.delinquency_mode)![1]],
      ]}
    />
  );
}

function Change({
  location,
  refused,
}: {
  readonly location: Location;
  readonly refused: Refused | undefined;
}) {
  return (
    <>
      <p class="warning">A new policy decides every unit of the location again, at once.</p>
      <Form
        name="policy"
        action={`${locationPath(location.location_id)}/policy`}
        submit="Save"
        other={{
          action: `${locationPath(location.location_id)}/policy/try`,
          submit: `Try it on the last ${TRIED_DAYS} days`,
        }}
        refused={refused}
        ofWhatStands
      >
        <Field name="name" label="Name of the location" value={location.name} required maxLength={255} />
        <Field
          name="timezone"
          label="Time zone"
          value={location.timezone}
          hint="An IANA name, like America/Chicago."
          required
        />
        <Field
          name="grace_period_days"
          label="Days of grace"
          value={location.grace_period_days}
          hint="Paid through the 1st with 5 days of grace: open on the 6th, locked out from the 7th."
          type="number"
          min={0}
          max={90}
          required
        />
        <Field
          name="balance_threshold"
          label="Balance that is let pass"
          value={location.balance_threshold}
          hint="Who owes no more than this is not locked out."
          type="number"
          min={0}
          step="0.01"
          required
        />
        <Checkbox
          name="blanket_delinquency"
          label="Past due on one unit locks the tenant’s others here, too"
          checked={location.blanket_delinquency}
        />
        <Select name="delinquency_mode" label="Locks out" options={MODES} value={location.delinquency_mode} />
      </Form>
    </>
  );
}
