/** A fault that somebody could have made, as a change of one place in the source. */
export interface Mutant {
  readonly name: string;
  /** The fault of the mutant. */
  readonly fault: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const DOCUMENTS = 'test/campaigns/simulation/stores/memory-document-store.ts';
const VIEWS = 'src/domain/access/tenant-access/tenant-access.views.ts';
const RUNNER = 'src/eventsourcing/writing/command-runner.ts';
const COMMIT = 'src/eventsourcing/writing/commit.ts';

/** Each must be found by a simulation: a check that has never failed proves nothing. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'unguarded-views',
    fault: 'a document store that lets older documents replace newer ones',
    file: DOCUMENTS,
    find: "!(Number(current['revision']) >= revision)",
    replace: 'true',
  },
  {
    name: 'blind-compare-and-set',
    fault: 'a document store whose compare-and-set never compares',
    file: DOCUMENTS,
    find: "case 'compare_and_set':\n      return guardOf(current, write.field) === write.expected ? undefined",
    replace: "case 'compare_and_set':\n      return write.expected !== Infinity ? undefined",
  },
  {
    name: 'grace-turned-round',
    fault: 'the last day of grace denies already',
    file: 'src/domain/access/core/outlook.ts',
    find: 'calendar.addDays(paid_through_date, grace_period_days + 1)',
    replace: 'calendar.addDays(paid_through_date, grace_period_days)',
  },
  {
    name: 'blanket-ignores-exemption',
    fault: 'a unit that the PMS exempts still denies its siblings',
    file: 'src/domain/access/core/outlook.ts',
    find: 'facts.occupied && !facts.pms_lock_exempt && facts.balance_due > 0',
    replace: 'facts.occupied && facts.balance_due > 0',
  },
  {
    name: 'override-without-end',
    fault: "an override's end is ignored",
    file: 'src/domain/units/core/unit.state.ts',
    find: 'return override.expires_at === null || now < override.expires_at ? override.override : null;',
    replace: 'return override.override;',
  },
  {
    name: 'move-out-keeps-lockout',
    fault: 'a move-out does not reset pms_lockout',
    file: 'src/domain/units/core/fact-catalogue.ts',
    find: "factOf(name).on_move_out === 'reset'),",
    replace: "factOf(name).on_move_out === 'reset' && name !== 'pms_lockout'),",
  },
  {
    name: 'share-not-ended',
    fault: "the first share outlives the tenant's stay",
    file: 'src/domain/units/core/unit.tenancy.ts',
    find: 'for (const share of unit.shares) endShare',
    replace: 'for (const share of unit.shares.slice(1)) endShare',
  },
  {
    name: 'conflict-taken-for-success',
    fault: 'what met a conflict is not decided again',
    file: RUNNER,
    find: "else if (outcomes[index]!.kind === 'conflict') failed",
    replace: 'else if (outcomes[index] === undefined) failed',
  },
  {
    name: 'nothing-by-the-views',
    fault: 'a command that finds nothing to change believes the views, however the last write ended',
    file: RUNNER,
    find: 'if (withoutEvents.length === 0) return [];\n    const read',
    replace: 'if (withoutEvents.length >= 0) return [];\n    const read',
  },
  {
    name: 'reservation-left-out',
    fault: 'events are appended without the reservation of their key',
    file: COMMIT,
    find: 'const reserved = reservation?.reserve();',
    replace: 'const reserved = undefined;',
  },
  {
    name: 'events-before-records',
    fault: 'on servers the events are appended before the accounts that they name',
    file: COMMIT,
    find: `    const [inserted = []] = await Promise.all([
      accounts.length === 0 ? undefined : records.write(accounts),
      reservation?.reserve(),
    ]);
    if (inserted.some(({ kind }) => kind !== 'written')) return 'account_taken';
    assertInTime(deadline);
    return log.append(appends);`,
    replace: `    await reservation?.reserve();
    const outcomes = await log.append(appends);
    const inserted = accounts.length === 0 ? [] : await records.write(accounts);
    return inserted.some(({ kind }) => kind !== 'written') ? 'account_taken' : outcomes;`,
  },
  {
    name: 'broken-chain',
    fault: 'events do not link to the event before them',
    file: 'src/eventsourcing/writing/chain.ts',
    find: 'previous_hash: last_hash,',
    replace: "previous_hash: '0'.repeat(64),",
  },
  {
    name: 'checkpoint-too-early',
    fault: 'the checkpoint moves before the events are in the views',
    file: 'src/eventsourcing/projecting/catch-up.ts',
    find: '    await this.#missed.apply(appends',
    replace:
      '    if (handled) {\n      this.#handled = { position: handled.position, event: handled, passed: undefined };\n      await this.#checkpoint.move(handled);\n    }\n    await this.#missed.apply(appends',
  },
  {
    name: 'missed-taken-for-shown',
    fault: 'the catch-up skips an event that no document shows',
    file: 'src/eventsourcing/projecting/missed-appends.ts',
    find: 'revision > shown[index]!',
    replace: 'revision > shown[index]! + 1',
  },
  {
    name: 'older-unit-wins',
    fault: "an older revision of a unit replaces a newer one in its tenant's document",
    file: 'src/domain/access/core/tenant-units.ts',
    find: 'present === undefined || present.revision < unit.revision',
    replace: 'present === undefined || present.revision !== unit.revision',
  },
  {
    name: 'states-of-before',
    fault: "a tenant's document is listed by the states that its units had before",
    file: VIEWS,
    find: 'states: statesOf(units),',
    replace: 'states: statesOf(known?.units ?? units),',
  },
  {
    name: 'boundary-not-written',
    fault: 'what the calendar or a sibling changed is decided and not written',
    file: 'src/domain/access/core/tenant-units.ts',
    find: 'unit === known.units[index]',
    replace: 'unit.revision === known.units[index]?.revision',
  },
  {
    name: 'unrentable-as-vacant',
    fault: 'units that nobody rents and nobody can rent are listed as vacant ones',
    file: 'src/domain/units/core/unit.state.ts',
    find: "facts.pms_unrentable ? 'unrentable' : 'vacant'",
    replace: "'vacant'",
  },
  {
    name: 'answer-not-kept',
    fault: 'the answer under an Idempotency-Key is not stored',
    file: 'src/web/pipeline/reservation.ts',
    find: 'return (await this.#replace({ answer: kept }, options))',
    replace: 'return (await this.#replace({ lease_until: 0 }, options))',
  },
  {
    name: 'recovery-forgotten',
    fault: 'a retry after an unknown outcome does not look its command up in the log',
    file: 'src/web/pipeline/request-pipeline.ts',
    find: 'context.recovering = claim.reservation.recovering;',
    replace: 'context.recovering = false;',
  },
  {
    name: 'key-for-any-payload',
    fault: 'an Idempotency-Key is not held to its payload',
    file: 'src/web/pipeline/request-key.ts',
    find: '.update(`${request.method}\\n${decodedPath(request)}\\n${body}`)',
    replace: ".update('')",
  },
  {
    name: 'key-for-any-path',
    fault: 'an Idempotency-Key is not held to method, path and query',
    file: 'src/web/pipeline/request-key.ts',
    find: '.update(`${request.method}\\n${decodedPath(request)}\\n${body}`)',
    replace: '.update(body)',
  },
  {
    name: 'key-of-everybody',
    fault: 'companies share their Idempotency-Keys',
    file: 'src/web/pipeline/request-key.ts',
    find: 'return `${owner} ',
    replace: 'return `',
  },
  {
    name: 'key-for-a-month',
    fault: 'an Idempotency-Key stands for its request for 30 days',
    file: 'src/web/pipeline/idempotency.ts',
    find: 'const RETENTION_MS = 24 *',
    replace: 'const RETENTION_MS = 720 *',
  },
  {
    name: 'key-for-the-denied',
    fault: 'locks of units that are not permitted come with keys',
    file: 'src/domain/access/tenant-access/tenant-access.answer.ts',
    find: 'if (!isOpen(unit)) return { lock_id, name };',
    replace: '',
  },
  {
    name: 'erased-stay-logged-in',
    fault: 'the sessions of a tenant outlive the erasure',
    file: 'src/domain/tenants/tenant-sessions.ts',
    find: "findAny('tenant_id', tenant_ids)",
    replace: "findAny('tenant_id', [])",
  },
  {
    name: 'tap-counted-twice',
    fault: 'a repeated client_log_id is a new report',
    file: 'src/domain/locks/activity/activity-records.ts',
    find: "if (written === 'written') return document;",
    replace: 'if (written !== undefined) return document;',
  },
  {
    name: 'retired-still-there',
    fault: 'an integrator still reads a unit that was retired',
    file: 'src/domain/units/unit.directory.ts',
    find: 'return unit === undefined || unit.retired ? undefined : unit;',
    replace: 'return unit;',
  },
  {
    name: 'retired-for-good',
    fault: 'a push of a retired unit does not bring it back',
    file: 'src/domain/units/core/unit.decide.ts',
    find: "return existing.retired ? draft.emit({ type: 'UnitRevived', data: {} }) : existing;",
    replace: 'return existing;',
  },
  {
    name: 'sandbox-once-ahead',
    fault: "a process reads a sandbox's clock once and then goes by the world's",
    file: 'src/domain/companies/company-clocks.ts',
    find: 'if (company.ahead_seconds === undefined) this.#ordinary.add(company._id);',
    replace: 'this.#ordinary.add(company._id);',
  },
  {
    name: 'sandbox-advance-not-added',
    fault: "an advance of a sandbox's clock counts from the world's time",
    file: 'src/domain/companies/core/company.decide.ts',
    find: 'const ahead_seconds = state.ahead_seconds + advance_seconds;',
    replace: 'const ahead_seconds = advance_seconds;',
  },
  {
    name: 'text-at-night',
    fault: 'tenants are told of their access until midnight',
    file: 'src/domain/notices/core/night.ts',
    find: "const EVENING = '21:00';",
    replace: "const EVENING = '23:59';",
  },
  {
    name: 'text-too-early',
    fault: 'tenants are told of a state that is seconds old',
    file: 'src/domain/notices/core/due-notice.ts',
    find: 'SETTLES_AFTER_MS = 15 * 60_000',
    replace: 'SETTLES_AFTER_MS = 5_000',
  },
  {
    name: 'text-told-again',
    fault: 'a text whose outcome is not known is told again',
    file: 'src/domain/notices/notice-sending.ts',
    find: 'return isCleared ? { sending: null, look_at: 0 } : undefined;',
    replace:
      "return isCleared ? { sending: null, look_at: 0, ...(outcome === 'unknown' && { units: [] }) } : undefined;",
  },
];

export function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  return mutant;
}

/** The file's text with the fault. @throws Error where the place is not there any more, or more than once */
export function mutate(mutant: Mutant, text: string): string {
  const places = text.split(mutant.find).length - 1;
  if (places !== 1)
    throw new Error(`Mutant ${mutant.name} fits ${places} places of ${mutant.file}, not one.`);
  return text.replace(mutant.find, () => mutant.replace);
}
