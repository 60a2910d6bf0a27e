import {
  decideOperator,
  type OperatorCommand,
  differing,
  endsSessions,
  evolveOperator,
  rightsOf,
} from '#domain/operators/core/operator.decide.js';
import type { CompanyRights, OperatorEvent, OperatorRights } from '#domain/operators/core/operator.events.js';
import { given } from '../../support/given.js';

const stored: CompanyRights = { role: 'manager', companies: ['a', 'b'], disabled: false };
const rights: OperatorRights = { ...stored, sites: null };
const hashed = (credential_sha256: string) => ({ credential_sha256 });
const known = {
  ...rights,
  removed: false,
  password_sha256: 'first',
  factor_sha256: null,
  invitation_sha256: null,
  sign_on_sha256: null,
  password_allowed: false,
};
const added: OperatorEvent = {
  type: 'OperatorAdded',
  data: { operator_id: 'ada', ...stored, ...hashed('first') },
};
const ended: OperatorEvent = { type: 'OperatorSessionsEnded', data: {} };
const removed: OperatorEvent = { type: 'OperatorRemoved', data: {} };

const givenOperator = (...events: OperatorEvent[]) =>
  given({ evolve: evolveOperator, decide: decideOperator }, ...events);

describe('an operator', () => {
  it('is added once', () => {
    const add = { type: 'AddOperator', operator_id: 'ada', rights, ...hashed('first') } as const;
    givenOperator().when(add).then(added).withResult(undefined);
    givenOperator(added).when(add).thenNothing().withResult(undefined);
  });

  it('is removed once, and the sessions end first', () => {
    givenOperator(added).when({ type: 'RemoveOperator' }).then(ended, removed).withResult(undefined);
    givenOperator(added, ended, removed).when({ type: 'RemoveOperator' }).thenNothing().withResult(undefined);
    givenOperator().when({ type: 'RemoveOperator' }).thenNothing();
  });

  it.each<[string, Partial<OperatorRights>, readonly ('email' | 'password')[], readonly string[]]>([
    ['another role', { role: 'admin' }, [], ['role']],
    ['other companies', { companies: ['a'] }, [], ['companies']],
    ['all companies', { companies: null }, [], ['companies']],
    ['being disabled', { disabled: true }, [], ['disabled']],
    ['another password', {}, ['password'], ['password']],
    ['all at once', { role: 'auditor', disabled: true }, ['email'], ['email', 'role', 'disabled']],
  ])('tells of %s, and its sessions end', (_, change, details, fields) => {
    const after = { ...rights, ...change };
    const credential = details.includes('password') ? hashed('second') : {};
    const data = { fields, ...stored, ...change, ...credential };
    const event = { type: 'OperatorChanged', data } as OperatorEvent;
    givenOperator(added)
      .when({ type: 'ChangeOperator', rights: after, details, ...credential })
      .then(event, ended)
      .withResult(undefined);
    const folded = [added, event].reduce(evolveOperator, undefined as never);
    const password_sha256 = details.includes('password') ? 'second' : 'first';
    expect(folded).toEqual({ ...known, ...after, password_sha256 });
  });

  describe('at a provider of single sign-on', () => {
    const person = { issuer: 'https://id.example', subject_sha256: 'ada at the provider' };
    const invited: OperatorEvent = {
      type: 'OperatorInvited',
      data: { expires_at: '2026-12-06T00:00:00.000Z', ...hashed('link') },
    };
    const linked: OperatorEvent = { type: 'OperatorSignOnLinked', data: { ...person, by: 'invitation' } };
    const unlinked: OperatorEvent = { type: 'OperatorSignOnUnlinked', data: {} };
    const allowed: OperatorEvent = { type: 'OperatorPasswordAllowed', data: {} };
    const signedOn: OperatorEvent = {
      type: 'OperatorSignedOn',
      data: { subject_sha256: person.subject_sha256, second_factor: true },
    };
    const stateAfter = (...events: OperatorEvent[]) =>
      events.reduce<ReturnType<typeof evolveOperator> | undefined>(evolveOperator, undefined);

    it('is linked to a person, which ends the invitation and all sessions', () => {
      givenOperator(added, invited)
        .when({ type: 'LinkSignOn', link: person, by: 'invitation' })
        .then(linked, ended);
      expect(stateAfter(added, invited, linked)).toEqual({ ...known, sign_on_sha256: 'ada at the provider' });
    });

    it('is unlinked, which ends all sessions', () => {
      givenOperator(added, linked).when({ type: 'UnlinkSignOn' }).then(unlinked, ended);
      expect(stateAfter(added, linked, unlinked)).toEqual(known);
    });

    it('may use a password where these are off, until the next sign-on', () => {
      const details = ['password'] as const;
      givenOperator(added)
        .when({ type: 'ChangeOperator', rights, details, ...hashed('second'), allows_password: true })
        .then(
          { type: 'OperatorChanged', data: { fields: details, ...stored, ...hashed('second') } },
          ended,
          allowed,
        );
      expect(stateAfter(added, allowed)).toEqual({ ...known, password_allowed: true });
      givenOperator(added, linked, allowed)
        .when({ type: 'SignOn', subject_sha256: person.subject_sha256, second_factor: true })
        .then(signedOn);
      expect(stateAfter(added, allowed, signedOn)).toEqual(known);
    });

    it('is the same after a refusal', () => {
      const refused: OperatorEvent = { type: 'OperatorSignOnRefused', data: { reason: 'passwords_off' } };
      givenOperator(added).when({ type: 'RefuseSignOn', reason: 'passwords_off' }).then(refused);
      expect(stateAfter(added, refused)).toEqual(known);
    });
  });

  describe('with an invitation', () => {
    const invitation = { expires_at: '2026-12-06T00:00:00.000Z', credential_sha256: 'link' };
    const invited: OperatorEvent = { type: 'OperatorInvited', data: invitation };
    const withdrawn: OperatorEvent = { type: 'OperatorInvitationWithdrawn', data: {} };
    const accepted: OperatorEvent = { type: 'OperatorInvitationAccepted', data: hashed('second') };
    const stateAfter = (...events: OperatorEvent[]) =>
      events.reduce<ReturnType<typeof evolveOperator> | undefined>(evolveOperator, undefined);

    it('is added by the event of every operator, and invited by the next', () => {
      givenOperator()
        .when({ type: 'AddOperator', operator_id: 'ada', rights, ...hashed('first'), invitation })
        .then(added, invited);
      expect(stateAfter(added, invited)).toEqual({ ...known, invitation_sha256: 'link' });
    });

    it('gets a new link in place of the one before', () => {
      const again = { ...invitation, credential_sha256: 'second link' };
      givenOperator(added, invited)
        .when({ type: 'InviteOperator', invitation: again })
        .then({ type: 'OperatorInvited', data: again });
    });

    it('has no link any more once it is withdrawn', () => {
      givenOperator(added, invited).when({ type: 'WithdrawInvitation' }).then(withdrawn);
      expect(stateAfter(added, invited, withdrawn)).toEqual(known);
    });

    it('sets the password with the link, which ends it and all sessions', () => {
      givenOperator(added, invited)
        .when({ type: 'AcceptInvitation', ...hashed('second') })
        .then(accepted, ended);
      expect(stateAfter(added, invited, accepted)).toEqual({ ...known, password_sha256: 'second' });
    });

    it('has no link any more after any change', () => {
      const renamed: OperatorEvent = { type: 'OperatorChanged', data: { fields: ['email'], ...stored } };
      expect(stateAfter(added, invited, renamed)).toEqual(known);
    });
  });

  describe('of sites', () => {
    const sites = [
      { company_id: 'a', location_id: 'north' },
      { company_id: 'a', location_id: 'south' },
    ];
    const limited = { ...rights, sites };
    const addedToSites: OperatorEvent = {
      type: 'OperatorOfSitesAdded',
      data: { operator_id: 'ada', ...limited, ...hashed('first') },
    };

    it('is added by an event that releases without sites do not know', () => {
      givenOperator()
        .when({ type: 'AddOperator', operator_id: 'ada', rights: limited, ...hashed('first') })
        .then(addedToSites);
      expect(evolveOperator(undefined, addedToSites)).toEqual({ ...known, sites });
    });

    it('is made of an operator of companies, and the sessions end', () => {
      const event: OperatorEvent = {
        type: 'OperatorOfSitesChanged',
        data: { fields: ['sites'], ...limited },
      };
      givenOperator(added).when({ type: 'ChangeOperator', rights: limited, details: [] }).then(event, ended);
      expect(evolveOperator(known, event)).toEqual({ ...known, sites });
    });

    it('keeps the sites when another right changes', () => {
      const after = { ...limited, disabled: true };
      givenOperator(addedToSites)
        .when({ type: 'ChangeOperator', rights: after, details: [] })
        .then({ type: 'OperatorOfSitesChanged', data: { fields: ['disabled'], ...after } }, ended);
    });

    it('becomes an operator of companies again', () => {
      const event: OperatorEvent = { type: 'OperatorChanged', data: { fields: ['sites'], ...stored } };
      givenOperator(addedToSites).when({ type: 'ChangeOperator', rights, details: [] }).then(event, ended);
      expect(evolveOperator({ ...known, sites }, event)).toEqual(known);
    });

    it('has the same sites in another order', () => {
      const same = { ...limited, sites: sites.toReversed() };
      givenOperator(addedToSites).when({ type: 'ChangeOperator', rights: same, details: [] }).thenNothing();
    });
  });

  const set: OperatorEvent = { type: 'OperatorSecondFactorSet', data: hashed('factor') };
  const used: OperatorEvent = {
    type: 'OperatorRecoveryCodeUsed',
    data: { codes_left: 9, ...hashed('nine left') },
  };
  it.each<[OperatorCommand, OperatorEvent, string | null]>([
    [{ type: 'SetSecondFactor', ...hashed('factor') }, set, 'factor'],
    [{ type: 'UseRecoveryCode', codes_left: 9, ...hashed('nine left') }, used, 'nine left'],
    [{ type: 'RemoveSecondFactor' }, { type: 'OperatorSecondFactorRemoved', data: {} }, null],
  ])('tells of a change of the second factor, and its sessions end: %j', (command, event, factor_sha256) => {
    givenOperator(added).when(command).then(event, ended).withResult(undefined);
    expect([added, set, event].reduce(evolveOperator, undefined as never)).toEqual({
      ...known,
      factor_sha256,
    });
  });

  it('is signed out everywhere, which leaves an event and changes nothing else', () => {
    givenOperator(added).when({ type: 'EndSessions' }).then(ended).withResult(undefined);
  });

  it('keeps its sessions where nothing but the e-mail changed', () => {
    const event: OperatorEvent = { type: 'OperatorChanged', data: { fields: ['email'], ...stored } };
    givenOperator(added)
      .when({ type: 'ChangeOperator', rights, details: ['email'] })
      .then(event);
  });

  it('is left alone by a change to what it is, in whichever order its companies are named', () => {
    const same = { ...rights, companies: ['b', 'a'] };
    givenOperator(added).when({ type: 'ChangeOperator', rights: same, details: [] }).thenNothing();
    expect(same.companies).toEqual(['b', 'a']);
  });

  it('gets the summary of a company or not, which leaves the operator as it is', () => {
    const data = { company_id: 'a', on: false };
    const switched: OperatorEvent = { type: 'OperatorSummarySwitched', data };
    givenOperator(added)
      .when({ type: 'SwitchSummary', ...data })
      .then(switched)
      .withResult(undefined);
    expect(evolveOperator(known, switched)).toBe(known);
  });

  it('is known by its rights, which the ends of its sessions leave', () => {
    const state = evolveOperator(undefined, added);
    expect(state).toEqual(known);
    expect(evolveOperator(state, ended)).toEqual(state);
    expect(evolveOperator(state, removed)).toEqual({ ...known, removed: true });
    expect(rightsOf(state)).toEqual(rights);
  });
});

describe('rights', () => {
  it('differ in role, companies and whether they are disabled', () => {
    expect(differing(rights, { ...rights, companies: ['b', 'a'] })).toEqual([]);
    expect(differing(rights, { role: 'admin', companies: [], sites: null, disabled: true })).toEqual([
      'role',
      'companies',
      'disabled',
    ]);
    expect(differing({ ...rights, companies: [] }, { ...rights, companies: null })).toEqual(['companies']);
    expect(differing({ ...rights, companies: ['ab'] }, rights)).toEqual(['companies']);
  });

  it('differ in which sites they are limited to, and no site is not all sites', () => {
    const north = { ...rights, sites: [{ company_id: 'a', location_id: 'north' }] };
    const south = { ...rights, sites: [{ company_id: 'a', location_id: 'south' }] };
    const elsewhere = { ...rights, sites: [{ company_id: 'b', location_id: 'north' }] };
    expect(differing(north, south)).toEqual(['sites']);
    expect(differing(north, elsewhere)).toEqual(['sites']);
    expect(differing({ ...rights, sites: [] }, rights)).toEqual(['sites']);
  });

  it('and passwords end sessions, an e-mail alone does not', () => {
    expect([endsSessions([]), endsSessions(['email']), endsSessions(['email', 'role'])]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
