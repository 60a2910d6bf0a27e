import {
  decideOperator,
  differing,
  endsSessions,
  evolveOperator,
  rightsOf,
} from '../../src/operator/core/operator.decide.js';
import type { OperatorEvent, OperatorRights } from '../../src/operator/core/operator.events.js';
import { given } from '../support/given.js';

const rights: OperatorRights = { role: 'manager', companies: ['a', 'b'], disabled: false };
const added: OperatorEvent = { type: 'OperatorAdded', data: { operator_id: 'ada', ...rights } };
const ended: OperatorEvent = { type: 'OperatorSessionsEnded', data: {} };
const removed: OperatorEvent = { type: 'OperatorRemoved', data: {} };

const givenOperator = (...events: OperatorEvent[]) =>
  given({ evolve: evolveOperator, decide: decideOperator }, ...events);

describe('an operator', () => {
  it('is added once', () => {
    const add = { type: 'AddOperator', operator_id: 'ada', rights } as const;
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
    const event = { type: 'OperatorChanged', data: { fields, ...after } } as OperatorEvent;
    givenOperator(added)
      .when({ type: 'ChangeOperator', rights: after, details })
      .then(event, ended)
      .withResult(undefined);
    const folded = [added, event].reduce(evolveOperator, undefined as never);
    expect(folded).toEqual({ ...after, removed: false });
  });

  it('keeps its sessions where nothing but the e-mail changed', () => {
    const event: OperatorEvent = { type: 'OperatorChanged', data: { fields: ['email'], ...rights } };
    givenOperator(added)
      .when({ type: 'ChangeOperator', rights, details: ['email'] })
      .then(event);
  });

  it('is left alone by a change to what it is, in whichever order its companies are named', () => {
    const same = { ...rights, companies: ['b', 'a'] };
    givenOperator(added).when({ type: 'ChangeOperator', rights: same, details: [] }).thenNothing();
    expect(same.companies).toEqual(['b', 'a']);
  });

  it('of before there were events is changed by what its record tells', () => {
    const change = { type: 'ChangeOperator', rights, details: [] } as const;
    givenOperator().when(change).thenNothing();
    givenOperator()
      .when({ ...change, details: ['password'] })
      .then({ type: 'OperatorChanged', data: { fields: ['password'], ...rights } }, ended);
  });

  it('is known by its rights, which the ends of its sessions leave', () => {
    const state = evolveOperator(undefined, added);
    expect(state).toEqual({ ...rights, removed: false });
    expect(evolveOperator(state, ended)).toEqual(state);
    expect(evolveOperator(state, removed)).toEqual({ ...rights, removed: true });
    expect(rightsOf(state)).toEqual(rights);
  });
});

describe('rights', () => {
  it('differ in role, companies and whether they are disabled', () => {
    expect(differing(rights, { ...rights, companies: ['b', 'a'] })).toEqual([]);
    expect(differing(rights, { role: 'admin', companies: [], disabled: true })).toEqual([
      'role',
      'companies',
      'disabled',
    ]);
    expect(differing({ ...rights, companies: [] }, { ...rights, companies: null })).toEqual(['companies']);
    expect(differing({ ...rights, companies: ['ab'] }, rights)).toEqual(['companies']);
  });

  it('and passwords end sessions, an e-mail alone does not', () => {
    expect([endsSessions([]), endsSessions(['email']), endsSessions(['email', 'role'])]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
