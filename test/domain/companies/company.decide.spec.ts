import fc from 'fast-check';
import type { CompanyCommand } from '#domain/companies/core/company.commands.js';
import { asStored, decideCompany, FURTHEST_AHEAD_SECONDS } from '#domain/companies/core/company.decide.js';
import type { CompanyEvent } from '#domain/companies/core/company.events.js';
import { type CompanyState, evolveCompany } from '#domain/companies/core/company.state.js';
import { given } from '../../support/given.js';

const NOW = Date.UTC(2026, 0, 1);
const company = { company_id: 'company', name: 'Ada Storage', created_at: NOW };
const registered: CompanyEvent = { type: 'CompanyRegistered', data: company };
const token = {
  token_id: 'token',
  name: 'production',
  scope: 'read',
  expires_at: NOW + 1,
  credential_sha256: 'hash',
} as const;
const issued: CompanyEvent = { type: 'ApiTokenIssued', data: token };
const added: CompanyEvent = {
  type: 'LocationAdded',
  data: { location_id: 'main', pms_location_code: 'MAIN' },
};

const givenCompany = (...events: CompanyEvent[]) =>
  given({ evolve: evolveCompany, decide: decideCompany }, ...events);

describe('a company', () => {
  const register = {
    type: 'RegisterCompany',
    company_id: 'company',
    name: 'Ada Storage',
    sandbox: false,
  } as const;

  it('is registered at the instant of the decision', () => {
    givenCompany().when(register, NOW).then(registered).withResult(company);
  });

  it('is registered once', () => {
    givenCompany(registered)
      .when(register, NOW + 1)
      .thenNothing()
      .withResult(company);
  });

  it('must exist before anything of it', () => {
    for (const command of [
      { type: 'IssueApiToken', ...token },
      { type: 'RevokeApiToken', token_id: 'token' },
      { type: 'AddLocation', location_id: 'main', pms_location_code: 'MAIN' },
    ] as const) {
      givenCompany().when(command).thenRejected({ code: 'company_not_found' });
    }
  });
});

describe('a sandbox', () => {
  const sandbox: CompanyEvent = { type: 'SandboxCompanyRegistered', data: company };
  const advanced = (advance_seconds: number, ahead_seconds: number): CompanyEvent => ({
    type: 'SandboxClockAdvanced',
    data: { advance_seconds, ahead_seconds },
  });
  const advance = (advance_seconds: number) => ({ type: 'AdvanceSandboxClock', advance_seconds }) as const;
  const register = { type: 'RegisterCompany', company_id: 'company', name: 'Ada Storage' } as const;

  it('is one from its first event on', () => {
    givenCompany()
      .when({ ...register, sandbox: true }, NOW)
      .then(sandbox)
      .withResult({ ...company, ahead_seconds: 0 });
    const nothing = { api_tokens: [], locations: [], revision: 0 };
    expect(evolveCompany(undefined, sandbox, 0)).toEqual({ ...company, ahead_seconds: 0, ...nothing });
  });

  it('is what no other company becomes, and stays one', () => {
    givenCompany(registered)
      .when({ ...register, sandbox: true }, NOW)
      .thenNothing()
      .withResult(company);
    givenCompany(sandbox, advanced(5, 5))
      .when({ ...register, sandbox: false }, NOW)
      .thenNothing()
      .withResult({ ...company, ahead_seconds: 5 });
  });

  it('has its clock set forward from where it stands', () => {
    givenCompany(sandbox)
      .when(advance(60))
      .then(advanced(60, 60))
      .withResult({ ...company, ahead_seconds: 60 });
    givenCompany(sandbox, advanced(60, 60))
      .when(advance(60))
      .then(advanced(60, 120))
      .withResult({ ...company, ahead_seconds: 120 });
  });

  it('is at most ten years ahead of the world', () => {
    expect(FURTHEST_AHEAD_SECONDS).toBe(315_360_000);
    const almost = advanced(1, FURTHEST_AHEAD_SECONDS - 1);
    givenCompany(sandbox, almost).when(advance(1)).then(advanced(1, FURTHEST_AHEAD_SECONDS));
    givenCompany(sandbox, almost).when(advance(2)).thenRejected({ code: 'sandbox_clock_too_far' });
  });

  it('alone has a clock to set', () => {
    givenCompany(registered).when(advance(1)).thenRejected({ code: 'not_a_sandbox' });
    givenCompany().when(advance(1)).thenRejected({ code: 'company_not_found' });
  });
});

describe('an API token', () => {
  it('is issued under a name, for what it says and as long as it says', () => {
    givenCompany(registered)
      .when({ type: 'IssueApiToken', ...token })
      .then(issued);
  });

  it('is revoked once', () => {
    const revoked: CompanyEvent = { type: 'ApiTokenRevoked', data: { token_id: 'token' } };
    const revoke = { type: 'RevokeApiToken', token_id: 'token' } as const;
    givenCompany(registered, issued).when(revoke).then(revoked);
    givenCompany(registered, issued, revoked).when(revoke).thenNothing();
  });

  it('that was never issued cannot be revoked', () => {
    givenCompany(registered, issued)
      .when({ type: 'RevokeApiToken', token_id: 'another' })
      .thenRejected({ code: 'api_token_not_found' });
  });
});

describe('the state of a company', () => {
  it('is what its events tell, and begins with the registration', () => {
    const other: CompanyEvent = { type: 'ApiTokenIssued', data: { ...token, token_id: 'other' } };
    const revoked: CompanyEvent = { type: 'ApiTokenRevoked', data: { token_id: 'other' } };
    const events = [registered, issued, other, revoked, added];
    expect(
      events.reduce<CompanyState | undefined>(
        (state, event, revision) => evolveCompany(state, event, revision),
        undefined,
      ),
    ).toEqual({
      ...company,
      api_tokens: [
        { token_id: 'token', name: 'production', revoked: false },
        { token_id: 'other', name: 'production', revoked: true },
      ],
      locations: [added.data],
      revision: 4,
    });
    expect(() => evolveCompany(undefined, issued, 0)).toThrow(/begins with ApiTokenIssued/);
  });

  it('tells one token and one location from another', () => {
    const another = { ...token, token_id: 'another' };
    givenCompany(registered, issued)
      .when({ type: 'IssueApiToken', ...another })
      .then({ type: 'ApiTokenIssued', data: another });
    givenCompany(registered, added)
      .when({ type: 'AddLocation', location_id: 'side', pms_location_code: 'SIDE' })
      .then({ type: 'LocationAdded', data: { location_id: 'side', pms_location_code: 'SIDE' } });
  });
});

describe('the code of a location', () => {
  it('is given to it', () => {
    givenCompany(registered)
      .when({ type: 'AddLocation', location_id: 'main', pms_location_code: 'MAIN' })
      .then(added)
      .withResult({ location_id: 'main' });
  });

  it('stays with the location that has it, which is answered', () => {
    givenCompany(registered, added)
      .when({ type: 'AddLocation', location_id: 'side', pms_location_code: 'MAIN' })
      .thenNothing()
      .withResult({ location_id: 'main' });
  });
});

describe('every command on a company', () => {
  const id = fc.constantFrom('one', 'two', 'three');
  const command: fc.Arbitrary<CompanyCommand> = fc.oneof(
    fc.record({
      type: fc.constant('RegisterCompany' as const),
      company_id: fc.constant('company'),
      name: id,
      sandbox: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('IssueApiToken' as const),
      token_id: id,
      name: id,
      scope: fc.constantFrom('read' as const, 'write' as const),
      expires_at: fc.constantFrom(null, NOW),
      credential_sha256: id,
    }),
    fc.record({ type: fc.constant('RevokeApiToken' as const), token_id: id }),
    fc.record({ type: fc.constant('AddLocation' as const), location_id: fc.uuid(), pms_location_code: id }),
  );
  const fold = (state: CompanyState | undefined, events: readonly CompanyEvent[]) =>
    events.reduce<CompanyState | undefined>(
      (before, event) => evolveCompany(before, event, (before?.revision ?? -1) + 1),
      state,
    );

  it('repeated on its own outcome changes nothing and answers the same; no code is given twice', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let state: CompanyState | undefined;
        for (const one of commands) {
          const first = decideCompany(state, one, NOW);
          if ('rejected' in first) continue;
          state = fold(state, first.events);
          expect(decideCompany(state, one, NOW + 1)).toEqual({ events: [], result: first.result });
        }
        const codes = (state?.locations ?? []).map((one) => one.pms_location_code);
        expect(new Set(codes).size).toBe(codes.length);
      }),
    );
  });
});

it('takes a token for the one that was stored, and every other command as it is', () => {
  const again: CompanyCommand = { ...token, type: 'IssueApiToken', token_id: 'another' };
  const added: CompanyEvent = { type: 'LocationAdded', data: { location_id: 'l', pms_location_code: 'L' } };
  expect(asStored(again, [added, issued])).toEqual({ ...again, token_id: 'token' });
  const revoke: CompanyCommand = { type: 'RevokeApiToken', token_id: 'another' };
  expect(asStored(revoke, [issued])).toBe(revoke);
  expect(asStored(again, [])).toBe(again);
});
