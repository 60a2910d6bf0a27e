import { render } from 'preact-render-to-string';
import { h } from 'preact';
import { FactsForm } from '#dashboard/units/standalone-forms.js';
import { MAPPED_FIELDS } from '#pull/core/mapping.js';
import {
  FACT_NAMES,
  type FactKind,
  type FactName,
  factOf,
  FACTS_AFTER_MOVE_OUT,
  VACANT_FACTS,
  WRITABLE_FACTS,
  type WritableFact,
} from '#domain/units/index.js';
import { type Company, demand, Service } from '../../support/service.js';

/** Two values for facts of each kind, as the API shows them. */
const VALUES: Readonly<Record<FactKind, readonly [unknown, unknown]>> = {
  amount: [12.34, 0.5],
  date: ['2026-02-03', '2026-04-05'],
  flag: [true, false],
  text: ['one', 'another'],
};
const of = (name: FactName) => VALUES[factOf(name).kind];

let service: Service;
let company: Company;
beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
});
afterAll(() => service.close());

const unitOf = (name: string) => `unit-of-${name}`;
const factsOf = async (name: string) =>
  (await company.unit(unitOf(name)))['facts'] as Record<string, unknown>;
const changesOf = async (name: string) => {
  const history = await company.push('get', `/units/${unitOf(name)}/history?order=desc`);
  const entries = demand(200, history).entries as { changes: Record<string, unknown> }[];
  return entries.flatMap(({ changes }) => changes[name] ?? []);
};
const entryOf = (name: string, fact: object) => ({
  crm_unit_id: unitOf(name),
  occupied: true,
  pms_tenant_id: 'T-1',
  move_in_date: '2026-01-01',
  ...fact,
});

/** A bulk entry with the other value is compared, applied, read and told by the history. */
async function changeByBulk(name: FactName, entry: object): Promise<void> {
  const [one, other] = of(name);
  const compared = demand(200, await company.push('post', '/units/compare', { units: [entry] }));
  expect(compared['different']).toEqual([
    expect.objectContaining({
      fields: expect.arrayContaining([{ field: name, here: one, given: other }]) as unknown,
    }),
  ]);
  expect(demand(200, await company.sync([entry]))).toMatchObject({ updated: 1 });
  expect((await factsOf(name))[name]).toBe(other);
  expect((await changesOf(name))[0]).toEqual({ from: one, to: other });
}

describe.each(WRITABLE_FACTS)('the fact %s', (name: WritableFact) => {
  const [one, other] = of(name);
  const atMoveOut = name in FACTS_AFTER_MOVE_OUT ? FACTS_AFTER_MOVE_OUT[name] : other;

  it('is written by PATCH and by bulk, read, compared and told by the history, and follows its rule at a move-out', async () => {
    demand(201, await company.moveIn(unitOf(name)));
    demand(200, await company.patch(unitOf(name), { [name]: one }));
    expect((await factsOf(name))[name]).toBe(one);
    expect((await changesOf(name))[0]).toEqual({ from: VACANT_FACTS[name], to: one });

    await changeByBulk(name, entryOf(name, { [name]: other }));

    demand(200, await company.patch(unitOf(name), { [name]: one }));
    demand(200, await company.moveOut(unitOf(name)));
    expect((await factsOf(name))[name]).toBe(name in FACTS_AFTER_MOVE_OUT ? atMoveOut : one);
  });

  it('has a field in the form of a standalone unit, under its label', () => {
    const facts = Object.fromEntries(FACT_NAMES.map((fact) => [fact, of(fact)[0]])) as never;
    const form = render(h(FactsForm, { path: '/', refused: undefined, facts }));
    expect(form).toContain(`name="${name}"`);
    expect(form).toContain(factOf(name).label);
  });
});

describe.each(FACT_NAMES.filter((name) => factOf(name).written_by === 'tenancy'))('the fact %s', (name) => {
  const [one, other] = of(name);
  const isOccupied = name === 'occupied';

  it('is written by a move-in and by bulk, not by PATCH, read, compared and told by the history, and reset by a move-out', async () => {
    const moveIn = () => company.moveIn(unitOf(name), isOccupied ? {} : { [name]: one });
    demand(201, await moveIn());
    expect((await factsOf(name))[name]).toBe(one);
    expect((await changesOf(name))[0]).toEqual({ from: VACANT_FACTS[name], to: one });
    expect((await company.patch(unitOf(name), { [name]: other })).status).toBe(422);

    const vacant = { crm_unit_id: unitOf(name), occupied: other };
    await changeByBulk(name, isOccupied ? vacant : entryOf(name, { [name]: other }));

    demand(200, await moveIn());
    demand(200, await company.moveOut(unitOf(name)));
    expect(await factsOf(name)).toMatchObject({ [name]: VACANT_FACTS[name] });
    expect((await changesOf(name))[0]).toEqual({ from: one, to: VACANT_FACTS[name] });
  });
});

describe.each(FACT_NAMES)('the fact %s', (name) => {
  it('is described with its example, and a pull source may map to it', async () => {
    const described = (await service.call('get', '/api/v2/openapi.json')).body as unknown as Described;
    const { properties } = described.components.schemas.Facts;
    expect(properties[name]!.examples).toEqual([factOf(name).example]);
    expect(MAPPED_FIELDS).toContain(name);
  });
});

interface Described {
  readonly components: {
    readonly schemas: {
      readonly Facts: { readonly properties: Readonly<Record<string, { readonly examples?: unknown[] }>> };
    };
  };
}
