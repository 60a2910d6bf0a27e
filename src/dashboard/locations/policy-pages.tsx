import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  LocationPolicyBody,
  LocationOutlook,
  LocationAdministration,
  NameBody,
} from '#api/operator/index.js';
import { type FormValues, keptForm, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { ThingNames } from '../names/thing-names.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { changesNothing, emptiedIn, fieldsOf, validChange } from '../parts/initial-values.js';
import { submitChange } from '../parts/submit-change.js';
import { withQuery } from '../links/with-query.js';
import { Backtest } from './backtest.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { locationPath } from '../links/paths.js';
import { PolicyForm, PolicyShown, RenameForm } from './policy-form.js';
import { ApplyPolicy, effectText, PolicyPreview } from './policy-preview.js';

/** Days of the past on which a policy is tested. */
const TRIED_DAYS = 90;
/** Changes that the page lists; thousands would be megabytes of HTML. */
const LISTED = 200;

/** The form that applies a preview repeats these counts. The policy is saved only if they still hold. */
const PROMISED = ['locked', 'opened'] as const;

type Effect = ResultOf<LocationAdministration['changeLocation']>['effect'];
type Counts = Pick<Effect, (typeof PROMISED)[number]>;

interface Beside {
  readonly refused?: Refused;
  /** What was saved. */
  readonly said?: Page['content'];
  /** What the policy in the form would do. */
  readonly answer?: Page['content'];
}

/** The policy by which a location locks out. It is previewed before it is saved. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/policy')
export class PolicyPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly outlook: LocationOutlook,
    private readonly names: ThingNames,
  ) {}

  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() { locked, opened }: FormValues,
    @Context() context: OperatorContext,
  ) {
    const saved = countsOf({ locked, opened });
    const said = saved && (
      <p class="said" role="status">
        Policy saved: {saved.locked} locked, {saved.opened} opened.
      </p>
    );
    return this.#page(location_id, context, { said });
  }

  /** Previews the policy. Saves it if the form repeats the counts of a preview, and they still hold. */
  @ForOperators('manager')
  @Costly()
  @Post()
  change(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { locked, opened, ...values } = form;
    const promised = countsOf({ locked, opened });
    const path = `${locationPath(location_id)}/policy`;
    return submitChange({
      form: 'policy',
      values,
      path,
      save: async () => {
        const { body, effect } = await this.#effect(location_id, values, context);
        if (promised === undefined || !isSame(promised, effect)) {
          return this.#preview(location_id, context, { effect, values, body, promised });
        }
        await this.locations.changeLocation(location_id, body, {}, context);
        const { locked: nowLocked, opened: nowOpened } = promised;
        return new SeeOther(withQuery(path, { locked: String(nowLocked), opened: String(nowOpened) }));
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('name')
  rename(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'location-name',
      values: form,
      act: async () => {
        const { name } = validForm(NameBody, form);
        await this.locations.changeLocation(location_id, { name }, {}, context);
        return new SeeOther(`${locationPath(location_id)}/policy`, 'details');
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  /** Saves nothing: shows what the policy would have done in the past, with the form as it was filled in. */
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
        const policy = validForm(LocationPolicyBody, fieldsOf(form), emptiedIn(form));
        const body = { policy, days: TRIED_DAYS };
        const tried = await this.outlook.testPolicy(location_id, body, { limit: LISTED }, context.deadline);
        const { timezone } = await this.locations.readLocation(location_id);
        const tenants = await this.names.findTenants(
          tried.changes.flatMap(({ tenant_id }) => tenant_id ?? []),
        );
        const path = `${locationPath(location_id)}/policy`;
        const tested = changesNothing(form) ? undefined : await this.#effect(location_id, form, context);
        const answer = (
          <Backtest of={tried} days={TRIED_DAYS} tenants={tenants} zone={timezone}>
            {tested && <ApplyPolicy path={path} effect={tested.effect} values={form} />}
          </Backtest>
        );
        return this.#page(location_id, context, { refused: keptForm('policy', form), answer });
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  /** What the changes of a form do to access at once. */
  async #effect(location_id: string, values: FormValues, context: OperatorContext) {
    const body = validChange(LocationPolicyBody, values);
    const { effect } = await this.locations.changeLocation(location_id, body, { dry_run: true }, context);
    return { body, effect };
  }

  async #preview(
    location_id: string,
    context: OperatorContext,
    given: {
      readonly effect: Effect;
      readonly values: FormValues;
      readonly body: LocationPolicyBody;
      readonly promised: Counts | undefined;
    },
  ): Promise<Page> {
    const { effect, values, body, promised } = given;
    const location = await this.locations.readLocation(location_id);
    const tenants = await this.names.findTenants(effect.changes.map(({ tenant_id }) => tenant_id));
    const answer = (
      <PolicyPreview
        path={`${locationPath(location_id)}/policy`}
        before={location}
        after={{ ...location, ...body }}
        effect={effect}
        tenants={tenants}
        values={values}
        overtaken={promised && effectText(promised)}
      />
    );
    return this.#page(location_id, context, { refused: keptForm('policy', values), answer });
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, said, answer }: Beside,
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { location } = framed;
    const mayChange = mayDo(principal.role, 'manager');
    const content = mayChange ? (
      <>
        {said}
        <div class="split asking">
          <Section title="Policy">
            <PolicyForm location={location} refused={refused} days={TRIED_DAYS} />
          </Section>
          {answer === undefined ? <NothingTried /> : <div class="answer">{answer}</div>}
        </div>
      </>
    ) : (
      <Section title="Policy">
        <PolicyShown location={location} />
      </Section>
    );
    return locationPage(framed, '/policy', content, {
      refused,
      acts: mayChange ? <RenameForm location={location} refused={refused} /> : undefined,
    });
  }
}

function NothingTried() {
  return (
    <div class="card">
      <EmptyState icon="info-circle" title="Nothing is saved by a preview">
        Preview names each unit that a change would lock or open. Then you apply it, or discard it.
      </EmptyState>
    </div>
  );
}

/** Two counts from an address or a form; undefined if they are not both there. */
function countsOf(given: FormValues): Counts | undefined {
  const [locked, opened] = PROMISED.map((name) => lastOf(given[name]) ?? '');
  return /^\d{1,9}$/.test(locked!) && /^\d{1,9}$/.test(opened!)
    ? { locked: Number(locked), opened: Number(opened) }
    : undefined;
}

function isSame(one: Counts, other: Counts): boolean {
  return PROMISED.every((name) => one[name] === other[name]);
}
