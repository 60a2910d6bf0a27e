import { status } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { placeOf, standsAt, type StoredEvent } from './event-log.js';
import type { NodeContext } from './node-context.js';
import type { ReadCall } from './read-service.js';
import { callError, invalidArgument, readEvent } from './wire.js';

/** The server considers so many events, times the interval asked for, between two checkpoints, unless it is told otherwise. */
const SEARCH_WINDOW = 32;
/** "Before everything": what a log without a matching event reports when all of it has been considered. */
const BEFORE_EVERYTHING = 0xffff_ffff_ffff_ffffn;

/** A subscription to `$all`: what is stored after a position, then a sign of having caught up, then what comes. */
export function followAll(node: NodeContext, call: ReadCall, options: ReadReq.Options): void {
  const matches = filterOf(options);
  if (!matches) return void call.emit('error', callError(status.UNKNOWN, 'Exception was thrown by handler.'));
  if (!beginsAtEvent(node, options))
    return void call.emit('error', invalidArgument('Trying to read from an invalid position.'));
  const subscription = new OpenSubscription(node, call, options, matches);
  void subscription.run();
}

class OpenSubscription {
  private ended = false;
  private wake: () => void = () => undefined;
  private index: number;
  private considered = 0;
  private matched = false;
  private lastCheckpoint = -1n;
  private readonly window: number;

  constructor(
    private readonly node: NodeContext,
    private readonly call: ReadCall,
    private readonly options: ReadReq.Options,
    private readonly matches: (event: StoredEvent) => boolean,
  ) {
    this.index = firstIndex(node, options);
    this.lastCheckpoint = node.visible()[this.index - 1]?.position ?? -1n;
    const filter = options.getFilter();
    this.window = (filter?.getMax() || SEARCH_WINDOW) * (filter?.getCheckpointintervalmultiplier() ?? 1);
  }

  async run(): Promise<void> {
    const { node, call } = this;
    const stopListening = node.log.onWrite(() => this.wake());
    const forget = node.open('subscription', (error) => {
      this.end();
      call.emit('error', error);
    });
    call.on('cancelled', () => this.end());
    await this.write(confirmation());
    await this.sendStored();
    await this.endSearch();
    await this.write(caughtUp());
    while (!this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (this.index < node.visible().length) resolve();
      });
      await this.sendStored();
    }
    stopListening();
    forget();
  }

  private end(): void {
    this.ended = true;
    this.wake();
    this.call.emit('drain');
  }

  private async sendStored(): Promise<void> {
    while (!this.ended && this.index < this.node.visible().length) {
      const event = this.node.visible()[this.index]!;
      this.index += 1;
      this.considered += 1;
      if (this.matches(event)) {
        this.matched = true;
        await this.write(readEvent(event));
      }
      if (this.considered % this.window === 0) await this.writeCheckpoint(event.position);
    }
  }

  /** What is live is counted anew. Where nothing that was stored has matched, no place has been reached. */
  private async endSearch(): Promise<void> {
    const { index, considered } = this;
    this.considered = 0;
    const last = this.node.visible()[index - 1]?.position;
    if (this.node.faults.tellsEndAsCheckpoint) await this.writeCheckpoint(this.node.log.end, 0n);
    else if (last !== undefined && this.matched) await this.writeCheckpoint(last);
    else if (this.options.getAll()!.hasStart() && considered < this.window)
      await this.writeCheckpoint(BEFORE_EVERYTHING);
  }

  /** A checkpoint is sent only where it moves on, and only to a filtered subscription. */
  private async writeCheckpoint(position: bigint, prepare = position): Promise<void> {
    if (!this.options.hasFilter() || position <= this.lastCheckpoint) return;
    if (position !== BEFORE_EVERYTHING) this.lastCheckpoint = position;
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(position));
    checkpoint.setPreparePosition(String(prepare));
    const answer = new ReadResp();
    answer.setCheckpoint(checkpoint);
    await this.write(answer);
  }

  private async write(answer: ReadResp): Promise<void> {
    if (this.ended || this.call.write(answer)) return;
    await new Promise((resolve) => this.call.once('drain', resolve));
  }
}

/** Beyond the end, the server sees no fault: it confirms, has caught up, and says no more. */
function beginsAtEvent(node: NodeContext, options: ReadReq.Options): boolean {
  const from = options.getAll()!;
  if (!from.hasPosition()) return true;
  const position = BigInt(from.getPosition()!.getCommitPosition());
  const events = node.visible();
  return position > (events.at(-1)?.position ?? 0n) || standsAt(events, position);
}

/** Subscriptions begin after their position. */
function firstIndex(node: NodeContext, options: ReadReq.Options): number {
  const from = options.getAll()!;
  const events = node.visible();
  if (from.hasStart()) return 0;
  if (from.hasEnd()) return events.length;
  const position = BigInt(from.getPosition()!.getCommitPosition());
  return placeOf(events, position + 1n);
}

/** Undefined for a regular expression that is none. */
function filterOf(options: ReadReq.Options): ((event: StoredEvent) => boolean) | undefined {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const byType = filter.getEventType();
  const expression = byType ?? filter.getStreamIdentifier()!;
  const subject = (event: StoredEvent): string => (byType ? event.type : event.stream);
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
  try {
    const pattern = new RegExp(expression.getRegex());
    return (event) => pattern.test(subject(event));
  } catch {
    return undefined;
  }
}

function confirmation(): ReadResp {
  const confirmed = new ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(crypto.randomUUID());
  const answer = new ReadResp();
  answer.setConfirmation(confirmed);
  return answer;
}

function caughtUp(): ReadResp {
  const answer = new ReadResp();
  answer.setCaughtUp(new ReadResp.CaughtUp());
  return answer;
}
