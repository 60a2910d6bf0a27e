import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from './event-log.js';
import type { NodeContext } from './node-context.js';
import type { ReadCall } from './read-service.js';
import { invalidArgument, readEvent } from './wire.js';

/** The server considers so many events, times the interval asked for, between two checkpoints. */
const CHECKPOINT_WINDOW = 32;

/** A subscription to `$all`: what is stored after a position, then a sign of having caught up, then what comes. */
export function followAll(node: NodeContext, call: ReadCall, options: ReadReq.Options): void {
  const matches = filterOf(options);
  if (!matches) return void call.emit('error', invalidArgument('Invalid regular expression'));
  const subscription = new OpenSubscription(node, call, options, matches);
  void subscription.run();
}

class OpenSubscription {
  private ended = false;
  private wake: () => void = () => undefined;
  private index: number;
  private considered = 0;
  private lastCheckpoint = -1n;

  constructor(
    private readonly node: NodeContext,
    private readonly call: ReadCall,
    private readonly options: ReadReq.Options,
    private readonly matches: (event: StoredEvent) => boolean,
  ) {
    this.index = firstIndex(node, options);
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
    await this.writeCheckpointAt(this.index - 1);
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
      if (this.matches(event)) await this.write(readEvent(event));
      const window = CHECKPOINT_WINDOW * (this.options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
      if (this.considered % window === 0) await this.writeCheckpointAt(this.index - 1);
    }
  }

  /** A checkpoint is sent only where it moves on, and only to a filtered subscription. */
  private async writeCheckpointAt(index: number): Promise<void> {
    const position = this.node.visible()[index]?.position;
    if (!this.options.hasFilter() || position === undefined || position <= this.lastCheckpoint) return;
    this.lastCheckpoint = position;
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(position));
    checkpoint.setPreparePosition(String(position));
    const answer = new ReadResp();
    answer.setCheckpoint(checkpoint);
    await this.write(answer);
  }

  private async write(answer: ReadResp): Promise<void> {
    if (this.ended || this.call.write(answer)) return;
    await new Promise((resolve) => this.call.once('drain', resolve));
  }
}

/** Subscriptions begin after their position. */
function firstIndex(node: NodeContext, options: ReadReq.Options): number {
  const from = options.getAll()!;
  const events = node.visible();
  if (from.hasStart()) return 0;
  if (from.hasEnd()) return events.length;
  const position = BigInt(from.getPosition()!.getCommitPosition());
  const index = events.findIndex((event) => event.position > position);
  return index === -1 ? events.length : index;
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
