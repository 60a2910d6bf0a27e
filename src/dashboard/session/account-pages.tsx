import { Get, Post } from '@nestjs/common';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { ForOperators, ForSiteOperators, WithoutOwnPassword } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { PasswordBody, OwnAccount, OwnProof, OwnSummaries, type ProofAsked } from '#api/operator/index.js';
import { Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { SUMMARIES_PATH } from '../links/paths.js';
import { submit } from '../page/submit.js';
import { Form } from '../parts/form.js';
import { NewPassword } from './new-password.js';
import { Facts, Section } from '../parts/layout.js';
import { proofFields } from '../parts/proof-fields.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';

const MAY: Readonly<Record<OperatorPrincipal['role'], string>> = {
  admin: 'everything',
  manager: 'all but operators, tokens and lock secrets',
  auditor: 'nothing but look',
};

/** The operator's own account, with the form for the password. */
@ForOperators('auditor')
@ForSiteOperators('own')
@Pages('dashboard/account')
export class AccountPages {
  constructor(
    private readonly account: OwnAccount,
    private readonly own: OwnSummaries,
    private readonly proof: OwnProof,
  ) {}

  @IgnoresQuery()
  @Get()
  show(@Context() context: OperatorContext): Promise<Page> {
    return this.#page(context);
  }

  /** For a password that somebody else made, which must be changed first. */
  @WithoutOwnPassword()
  @IgnoresQuery()
  @Get('password')
  showPassword(): Page {
    return passwordPage();
  }

  @WithoutOwnPassword()
  @Post('password')
  changePassword(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'password',
      values: form,
      act: async () => {
        await this.account.changePassword(validForm(PasswordBody, form), context);
        return new SeeOther('/dashboard/sign-in', 'password');
      },
      again: (refused) =>
        context.principal.must_change_password === true
          ? Promise.resolve(passwordPage(refused))
          : this.#page(context, refused),
    });
  }

  async #page(context: OperatorContext, refused?: Refused): Promise<Page> {
    const operator = await this.account.readOperator(context.principal);
    const { email, role, second_factor, created_at } = operator;
    const { summaries } = await this.own.listSummaries(context.principal);
    const asked = await this.proof.readAsked(context.principal);
    const content = (
      <div class="grid">
        <Section title="You">
          <Facts
            of={[
              ['E-mail', email],
              ['Role', `${role}: may do ${MAY[role]}`],
              ['Scope', <a href="/dashboard/companies">{scopeText(operator)}</a>],
              ['Since (UTC)', <Instant at={created_at} precision="day" />],
            ]}
          />
        </Section>
        <Section title="Second factor">
          <p>
            {second_factor ? 'On: signing in asks for a code.' : 'Off.'}{' '}
            <a href="/dashboard/account/second-factor">{second_factor ? 'Change it' : 'Set it up'}</a>
          </p>
        </Section>
        <Section title="Morning summary">
          <p>
            {summaries.length === 0
              ? 'Off.'
              : `On for ${countText(summaries.length, 'company', 'companies')}.`}{' '}
            <a href={SUMMARIES_PATH}>{summaries.length === 0 ? 'Switch it on' : 'Change it'}</a>
          </p>
        </Section>
        <Section title="Password">
          <p class="hint">A new password ends every session of yours, this one too.</p>
          <PasswordForm {...{ asked, refused }} />
        </Section>
      </div>
    );
    return new Page('Your account', content, refused?.status);
  }
}

interface PasswordFormProps {
  readonly asked: ProofAsked;
  readonly refused: Refused | undefined;
}

function PasswordForm({ asked, refused }: PasswordFormProps) {
  return (
    <Form name="password" action="/dashboard/account/password" submit="Change the password" refused={refused}>
      {proofFields({ asked, name: 'current', label: 'Password now', path: '/dashboard/account' })}
      <NewPassword name="next" />
    </Form>
  );
}

function passwordPage(refused?: Refused): Page {
  const content = (
    <Section title="Choose a password of your own">
      <p>Somebody else made the one that you signed in with. Change it to go on. Then you sign in again.</p>
      <PasswordForm asked={{ by: 'password' }} refused={refused} />
    </Section>
  );
  return new Page('Your password', content, refused?.status);
}

interface Granted {
  readonly companies: readonly string[] | null;
  readonly locations: readonly string[] | null;
}

function scopeText({ companies, locations }: Granted): string {
  if (locations !== null) return countText(locations.length, 'location');
  return companies === null ? 'All companies' : countText(companies.length, 'company', 'companies');
}
