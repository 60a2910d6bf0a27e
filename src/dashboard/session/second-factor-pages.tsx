import type { ResultOf } from '#kernel/result-of.js';
import { Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { sessionTokenOf } from '#web/authentication.js';
import { ForOperators, ForSiteOperators, WithoutSecondFactor } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { Operators, SecondFactors, type SecondFactorSetup } from '#domain/operators/index.js';
import {
  CurrentPasswordBody,
  OwnProof,
  OwnSecondFactor,
  type ProofAsked,
  SecondFactorRemovalBody,
  SecondFactorSetupBody,
} from '#api/operator/index.js';
import { type FormValues, lastOf, Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { CopyButton } from '../parts/copy-button.js';
import { Danger, Field, Form, Kept } from '../parts/form.js';
import { Facts, Section } from '../parts/layout.js';
import { proofFields } from '../parts/proof-fields.js';
import { QrCode } from './qr-code.js';

type State = ResultOf<OwnSecondFactor['readState']>;

const PATH = '/dashboard/account/second-factor';
const TITLE = 'Second factor';

/** The own second factor. */
@ForOperators('auditor')
@ForSiteOperators('own')
@WithoutSecondFactor()
@Pages('dashboard/account/second-factor')
export class SecondFactorPages {
  constructor(
    private readonly own: OwnSecondFactor,
    private readonly proof: OwnProof,
    private readonly factors: SecondFactors,
    private readonly operators: Operators,
  ) {}

  @IgnoresQuery()
  @Get()
  show(@Context() context: OperatorContext): Promise<Page> {
    return this.#page(context);
  }

  /** Answers with the secret, so that no address contains it. */
  @Post('begin')
  @HttpCode(200)
  begin(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'begin',
      values: form,
      act: async () => {
        const body = validForm(CurrentPasswordBody, form);
        return setupPage(await this.own.beginSetup(body, context.principal));
      },
      again: (refused) => this.#page(context, refused),
    });
  }

  @Post('set')
  @HttpCode(200)
  set(@ObjectBody() form: FormValues, @Context() context: OperatorContext, @Req() request: Request) {
    return submit({
      form: 'set',
      values: form,
      act: async () => {
        const body = validForm(SecondFactorSetupBody, form);
        const { recovery_codes } = await this.own.finishSetup(body, context, sessionTokenOf(request));
        return codesPage(recovery_codes);
      },
      again: async (refused) => {
        const operator = await this.operators.assertRights(context.principal);
        const begun = this.factors.resume(operator, lastOf(form['setup']) ?? '');
        return begun === undefined ? this.#page(context, refused) : setupPage(begun, refused);
      },
    });
  }

  @Post('remove')
  remove(@ObjectBody() form: object, @Context() context: OperatorContext, @Req() request: Request) {
    return submit({
      form: 'remove',
      values: form,
      act: async () => {
        const body = validForm(SecondFactorRemovalBody, form);
        await this.own.remove(body, context, sessionTokenOf(request));
        return new SeeOther(PATH, 'factor_removed');
      },
      again: (refused) => this.#page(context, refused),
    });
  }

  async #page(context: OperatorContext, refused?: Refused): Promise<Page> {
    const state = await this.own.readState(context.principal);
    const asked = await this.proof.readAsked(context.principal);
    const content = state.set ? (
      <StandingFactor {...{ state, asked, refused }} />
    ) : (
      <Begin {...{ state, asked, refused }} />
    );
    return new Page(TITLE, content, refused?.status);
  }
}

interface StateProps {
  readonly state: State;
  readonly asked: ProofAsked;
  readonly refused: Refused | undefined;
}

function StandingFactor({ state, asked, refused }: StateProps) {
  return (
    <Section title={TITLE}>
      <Facts of={[['Recovery codes left', state.recovery_codes_left]]} />
      <p class="hint">To get new codes or use another phone, remove the second factor and set it up again.</p>
      <Danger summary="Remove the second factor">
        <p>Your other sessions end. {state.required ? 'You must set up a new one at once.' : ''}</p>
        <Form
          name="remove"
          action={`${PATH}/remove`}
          submit="Remove the second factor"
          tone="danger"
          refused={refused}
        >
          {proofFields({ asked, name: 'current', label: 'Password', path: PATH })}
          {codeField('Code or recovery code')}
        </Form>
      </Danger>
    </Section>
  );
}

function Begin({ state, asked, refused }: StateProps) {
  return (
    <Section title="Set up a second factor">
      {state.required ? <p>Everybody here must have a second factor. Set up yours to go on.</p> : null}
      <p>You need an authenticator app. From then on you sign in with your password and a code of the app.</p>
      <Form name="begin" action={`${PATH}/begin`} submit="Set up" refused={refused}>
        {proofFields({ asked, name: 'current', label: 'Password', path: PATH })}
      </Form>
    </Section>
  );
}

function setupPage(begun: Pick<SecondFactorSetup, 'setup' | 'secret' | 'uri'>, refused?: Refused): Page {
  const { setup, secret, uri } = begun;
  const content = (
    <Section title="Set up a second factor">
      <p>
        Scan this code with your authenticator app, or <a href={uri}>open the app</a> on this device, or type
        the key. Then enter the code that the app shows.
      </p>
      <QrCode text={uri} label="The key below, to scan" />
      <code class="secret" id="factor-secret">
        {secret}
      </code>
      <CopyButton of="factor-secret" />
      <Form name="set" action={`${PATH}/set`} submit="Turn on" refused={refused}>
        <Kept name="setup" value={setup} />
        {codeField('Code')}
      </Form>
    </Section>
  );
  return new Page(TITLE, content, refused?.status);
}

function codesPage(codes: readonly string[]): Page {
  const content = (
    <section class="card" role="status">
      <h2>The second factor is on</h2>
      <p>
        Keep these recovery codes. Each signs you in once if you lose your phone. They are shown only now.
      </p>
      <pre id="codes">{codes.join('\n')}</pre>
      <CopyButton of="codes" />
      <p>
        <a href="/dashboard">To the dashboard</a>
      </p>
    </section>
  );
  return new Page(TITLE, content);
}

function codeField(label: string) {
  return <Field name="code" label={label} required maxLength={64} autocomplete="one-time-code" />;
}
