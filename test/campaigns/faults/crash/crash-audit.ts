import { isDeepStrictEqual } from 'node:util';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import type { Parsed } from '../../../support/http-client.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { type Acknowledged, type CrashCampaign, send } from './crash-campaign.js';
import { planned } from './plan.js';
import type { StoresUnderKills } from './stores-under-kills.js';

/** The numbers of things that were checked. */
export interface AuditFigures {
  readonly events: number;
  readonly streams: number;
  readonly commands: number;
  readonly units: number;
  readonly replayed: number;
}

const PAGE = 1_000;
const AT_ONCE = 32;

/**
 * Compares the data of a campaign with its answers. Answers replay byte for byte, no event is there twice, units are
 * as the oracle has them, and the views follow from the log. Ends the service. @throws Error that names the first
 * difference
 */
export async function auditCampaign(
  campaign: CrashCampaign,
  service: ServiceProcess,
  { folder, seed, stores }: { folder: string; seed: number; stores: StoresUnderKills },
): Promise<AuditFigures> {
  await replayAll(campaign, service, seed);
  const units = await listUnits(service, campaign.setup.token);
  demandOracle(campaign, units);
  const status = await service.stop();
  demand(status === 0, `the service ended with ${status} when asked to`);
  const log = await readLog(stores);
  demandCreatedOnce(campaign.acknowledged, seed, units.length);
  demand(units.length === log.registered, `${units.length} units but ${log.registered} registrations`);
  await stores.dropViews();
  const rebuilt = await ServiceProcess.start(folder, stores);
  try {
    const again = await listUnits(rebuilt, campaign.setup.token);
    demandSame(units, again);
  } finally {
    await rebuilt.kill();
  }
  const { events, streams, commands } = log;
  return { events, streams, commands, units: units.length, replayed: campaign.acknowledged.length };
}

async function replayAll(campaign: CrashCampaign, service: ServiceProcess, seed: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let one = campaign.acknowledged[next++]; one !== undefined; one = campaign.acknowledged[next++]) {
      const plan = planned(seed, one.writer, one.turn);
      const answer = await send(service, campaign.setup, plan);
      // Replayed, or found again in the log where the kill came before the answer was kept.
      const same =
        answer !== undefined &&
        answer.status === one.status &&
        (answer.text === one.text || answer.text === withoutAccess(one.text));
      demand(same, `${plan.key} was first ${one.text}, then ${answer?.text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** An answer that is found again leaves out the access (decisions §3). */
function withoutAccess(text: string): string {
  const answer = JSON.parse(text);
  delete answer.data.access;
  return JSON.stringify(answer);
}

async function listUnits({ client }: ServiceProcess, token: string): Promise<Parsed[]> {
  const units: Parsed[] = [];
  for (let cursor = ''; ;) {
    const { body } = await client.call('get', `/api/v2/units?limit=500${cursor}`, { token });
    units.push(...body.data.units);
    if (body.data.next_cursor === null) return units;
    cursor = `&cursor=${encodeURIComponent(body.data.next_cursor)}`;
  }
}

function demandOracle(campaign: CrashCampaign, units: readonly Parsed[]): void {
  const found = new Map(units.map((unit) => [unit.crm_unit_id as string, unit.facts]));
  demand(found.size === units.length, 'the list of units names one twice');
  for (const [name, expected] of campaign.oracles.flatMap((oracle) => [...oracle.units])) {
    const facts = found.get(name);
    for (const [fact, value] of Object.entries(expected)) {
      demand(facts?.[fact] === value, `${name}: ${fact} is ${facts?.[fact]}, not ${value}`);
    }
  }
}

/** Each unit was answered as created by exactly one request: 201, or one of a bulk's `created`. */
function demandCreatedOnce(acknowledged: readonly Acknowledged[], seed: number, units: number): void {
  const created201 = new Set<string>();
  let created = 0;
  for (const { writer, turn, status, text } of acknowledged) {
    const { action } = planned(seed, writer, turn);
    if (action.kind === 'bulk') created += Number(JSON.parse(text).data.created);
    if (action.kind !== 'move_in' || status !== 201) continue;
    demand(!created201.has(action.unit), `${action.unit} was created twice`);
    created201.add(action.unit);
    created += 1;
  }
  demand(created === units, `${created} were answered as created, but there are ${units} units`);
}

async function readLog(
  stores: StoresUnderKills,
): Promise<{ events: number; streams: number; commands: number; registered: number }> {
  const store = await stores.openLog();
  try {
    const { ok, fault, streams } = await verifyAll(store, { readsEachStream: true });
    demand(ok, `the chain is broken: ${JSON.stringify(fault)}`);
    return { streams, ...(await scanDecisions(store)) };
  } finally {
    await store.close();
  }
}

/** One decision for each command and stream: its events stand together, none of a kind twice; one command for each key. */
async function scanDecisions(
  store: EventStore,
): Promise<{ events: number; commands: number; registered: number }> {
  const decisions = new Map<string, { last: number; types: Set<string> }>();
  const commandOf = new Map<string, string>();
  const registered = new Set<string>();
  let events = 0;
  for (let page = await store.readAll({ limit: PAGE }); page.length > 0;) {
    for (const event of page) {
      takeDecision(decisions, commandOf, event);
      if (event.type === 'UnitRegistered') registered.add(event.stream);
    }
    events += page.length;
    page = await store.readAll({ limit: PAGE, after: page.at(-1)!.position });
  }
  return { events, commands: commandOf.size, registered: registered.size };
}

function takeDecision(
  decisions: Map<string, { last: number; types: Set<string> }>,
  commandOf: Map<string, string>,
  { stream, revision, type, metadata }: RecordedEvent,
): void {
  const { command_id, request_id } = metadata as unknown as EventMetadata;
  if (!request_id.startsWith('crash-')) return;
  const before = decisions.get(`${command_id} ${stream}`);
  demand(
    before === undefined || (before.last === revision - 1 && !before.types.has(type)),
    `${request_id} was decided twice on ${stream}: ${type} at revision ${revision}`,
  );
  decisions.set(`${command_id} ${stream}`, {
    last: revision,
    types: new Set([...(before?.types ?? []), type]),
  });
  const command = commandOf.get(request_id) ?? command_id;
  demand(command === command_id, `${request_id} was executed as ${command} and as ${command_id}`);
  commandOf.set(request_id, command_id);
}

function demandSame(units: readonly Parsed[], rebuilt: readonly Parsed[]): void {
  demand(units.length === rebuilt.length, `${units.length} units, but ${rebuilt.length} from the log alone`);
  units.forEach((unit, place) => {
    const same = isDeepStrictEqual(unit, rebuilt[place]);
    demand(same, `the views say ${JSON.stringify(unit)}, the log ${JSON.stringify(rebuilt[place])}`);
  });
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`Not as it must be: ${otherwise}`);
}
