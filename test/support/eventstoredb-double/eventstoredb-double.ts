import { Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { UUID, type Empty } from '@eventstore/db-client/generated/shared_pb.js';
import {
  DeleteResp,
  TombstoneResp,
  type DeleteReq,
  type TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { AppendService, expectedOf } from './append-service.js';
import type { Disk } from './disk.js';
import { EventLog, type Expected, type StoredEvent, type Verdict } from './event-log.js';
import { Faults } from './faults.js';
import { NetworkFront } from './network-front.js';
import type { NodeContext } from './node-context.js';
import { read } from './read-service.js';
import { demandUser, type Users } from './users.js';
import { callError, notLeader, streamDeleted, streamName } from './wire.js';

export interface DoubleOptions {
  /** The server's cap on the deadline of a batch append, in milliseconds; 2,000 as the real one has it. */
  readonly longestDeadline?: number;
  /** The largest append, in bytes of data: an operator may set less than the default. */
  readonly mostDataBytes?: number;
  /** Speaks TLS with this certificate and its key, in PEM, and requires a user. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer; readonly users: Users };
  /** What batch appends wait for before they stand and are acknowledged; without it the log is in memory alone. */
  readonly disk?: Pick<Disk, 'write'>;
  /** Makes this node a follower of another: it forwards appends, and reads what has been replicated. */
  readonly leader?: EventStoreDbDouble;
}

/**
 * An EventStoreDB as far as its wire goes: a server on the client's own service definitions, with the behaviour that
 * was observed on a real one, and with faults on demand. Its data outlive `kill` and `restart`. Held to the answers of a real
 * one by eventstoredb-facts.ts.
 *
 * A BigInt in the data of an event never reaches a server. The client rejects without a listener, and this append and every
 * later one of the same client stay pending. So the adapter refuses it before the client sees it (event-format.ts).
 *
 * When a reader has an event is not played either way: a subscription of the writer's own client has it after the answer (1 of 200
 * before; 15 to 65 on a real server), and whoever reads its stream again and again has it before the answer, always.
 *
 * Not played, as the service asks for none of it: subscriptions to one stream, metadata of streams other than `$tb`, `$maxCount`,
 * `$maxAge` and who reads `$all`, streams of the server's own besides a little noise, persistent subscriptions, projections, users.
 */
export class EventStoreDbDouble implements NodeContext {
  log: EventLog;
  readonly faults = new Faults();
  readonly received: NodeContext['received'] = [];
  messages = 0;
  timeouts = 0;
  readonly longestDeadline: number;
  readonly disk: Pick<Disk, 'write'> | undefined;
  private readonly server: Server;
  private readonly appends = new AppendService(this);
  private readonly calls = new Set<{
    kind: 'append' | 'subscription';
    end: (error: ServiceError) => void;
    finish: () => void;
  }>();
  private front!: NetworkFront;
  /** The server's own, without the front that cuts and freezes connections and costs as much as the server's own network. */
  portBehindFront!: number;
  private leader: EventStoreDbDouble | undefined;
  private replicated = 0;
  private deaths = 0;

  private constructor(options: DoubleOptions) {
    this.leader = options.leader;
    this.log = options.leader?.log ?? new EventLog(options.mostDataBytes);
    this.longestDeadline = options.longestDeadline ?? 2_000;
    this.disk = options.disk;
    this.server = new Server({
      // Larger messages are refused in the words of the real server.
      'grpc.max_receive_message_length': -1,
      interceptors: options.tls ? [demandUser(options.tls.users, () => this.readersOfAll())] : [],
    });
  }

  static async start(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const double = new EventStoreDbDouble(options);
    double.addServices();
    double.portBehindFront = await new Promise<number>((resolve, reject) => {
      double.server.bindAsync('127.0.0.1:0', credentialsOf(options.tls), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    double.front = new NetworkFront(double.portBehindFront);
    await double.front.open();
    return double;
  }

  get port(): number {
    return this.front.port;
  }

  /** A connection string; options are `name=value` pairs. */
  url(...options: string[]): string {
    return `esdb://127.0.0.1:${this.port}?${['tls=false', ...options].join('&')}`;
  }

  /** Who may read `$all`, by its metadata. */
  private readersOfAll(): string[] {
    const written = this.log.streamEvents('$$$all')?.at(-1);
    if (written === undefined) return [];
    const { $acl } = JSON.parse(Buffer.from(written.data).toString()) as {
      $acl?: { $r?: string | string[] };
    };
    return [$acl?.$r ?? []].flat();
  }

  /** Connections that clients have made so far. */
  get connections(): number {
    return this.front.accepted;
  }

  /** Times that the server died, by `kill` or by a fault. */
  get killed(): number {
    return this.deaths;
  }

  /** The user's events, in order. */
  get userEvents(): StoredEvent[] {
    return this.log.events.filter((event) => !event.type.startsWith('$'));
  }

  visible(): readonly StoredEvent[] {
    return this.leader ? this.log.events.slice(0, this.replicated) : this.log.events;
  }

  refusal(requiresLeader: boolean): ServiceError | undefined {
    const { leader } = this;
    return leader && requiresLeader ? notLeader('127.0.0.1', leader.port) : undefined;
  }

  /** A follower catches up with its leader. */
  replicate(): void {
    this.replicated = this.log.events.length;
  }

  /** A follower becomes the leader, as after an election. */
  promote(): void {
    this.leader = undefined;
  }

  open(
    kind: 'append' | 'subscription',
    end: (error: ServiceError) => void,
    finish = (): void => undefined,
  ): () => void {
    const call = { kind, end, finish };
    this.calls.add(call);
    return () => this.calls.delete(call);
  }

  /** A leader becomes a follower of the next one, which holds the same log. */
  follow(leader: EventStoreDbDouble): void {
    leader.promote();
    this.leader = leader;
    this.replicate();
  }

  /** Open subscriptions end with an error; everything else goes on. */
  dropSubscriptions(): void {
    this.endCalls(callError(status.UNAVAILABLE, 'Subscription dropped'), 'subscription');
  }

  /** One of the calls that appends come over ends with an error. */
  dropAppendCall(): void {
    const call = [...this.calls].find(({ kind }) => kind === 'append')!;
    this.calls.delete(call);
    call.end(callError(status.UNAVAILABLE, 'Stream dropped'));
  }

  /** The calls that appends come over end with the status OK, as a proxy ends them that has had enough. */
  finishAppendCalls(): void {
    for (const call of [...this.calls]) if (call.kind === 'append') call.finish();
  }

  get appendCallCount(): number {
    return [...this.calls].filter((call) => call.kind === 'append').length;
  }

  get subscriptionCount(): number {
    return [...this.calls].filter((call) => call.kind === 'subscription').length;
  }

  /** SIGKILL: connections are reset, the port refuses, what was in flight is forgotten. */
  async kill(): Promise<void> {
    this.deaths += 1;
    this.forget();
    await this.front.cut();
  }

  /** Every connection is reset, and new ones are taken: what is in flight goes on, and is answered to nobody. */
  cutConnections(): void {
    this.front.reset();
  }

  die(): void {
    void this.kill();
  }

  /** Starts again on the same port with the same data. */
  async restart(): Promise<void> {
    this.forget();
    this.faults.notReady = false;
    await this.front.open();
  }

  /** An empty log in place of this one: what a restored backup is to who followed it. */
  replaceLog(): void {
    this.log = new EventLog();
  }

  /** SIGTERM, first half: appends are answered "Server Is Not Ready", or stored and not answered at all. */
  beginStopping(): void {
    this.faults.notReady = true;
  }

  /** SIGTERM, second half: every open call is reset. `kill` closes the port after it. */
  resetCalls(): void {
    this.endCalls(callError(status.INTERNAL, 'Received RST_STREAM with code 0'));
  }

  /** SIGSTOP: connections stay open and nothing is answered. */
  freeze(): void {
    this.front.freeze();
  }

  /** SIGCONT. */
  thaw(): void {
    this.front.thaw();
  }

  /** Puts the server so far away from its clients. */
  delay(milliseconds: number): void {
    this.front.delay = milliseconds;
  }

  async close(): Promise<void> {
    this.forget();
    await this.front.cut();
    this.server.forceShutdown();
  }

  private endCalls(error: ServiceError, kind?: 'append' | 'subscription'): void {
    for (const call of [...this.calls]) {
      if (kind && call.kind !== kind) continue;
      this.calls.delete(call);
      call.end(error);
    }
  }

  private forget(): void {
    this.appends.reset();
    if (!this.leader) this.log.restart();
  }

  private addServices(): void {
    this.server.addService(StreamsService, {
      batchAppend: this.appends.batchAppend.bind(this.appends),
      append: this.appends.append.bind(this.appends),
      read: (call: Parameters<typeof read>[1]) => read(this, call),
      delete: this.deleteStream(),
      tombstone: this.tombstoneStream(),
    });
    const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, callback) => {
      if (this.faults.take('unavailable')) return callback(callError(status.UNAVAILABLE, 'Unavailable'));
      callback(null, supportedMethods());
    };
    this.server.addService(ServerFeaturesService, { getSupportedMethods });
    const gossip: handleUnaryCall<Empty, ClusterInfo> = (_call, callback) =>
      callback(null, this.clusterInfo());
    this.server.addService(GossipService, { read: gossip });
  }

  private deleteStream(): handleUnaryCall<DeleteReq, DeleteResp> {
    return (call, callback) => {
      const options = call.request.getOptions()!;
      const stream = streamName(options.getStreamIdentifier());
      const expected = expectedOf(options, () => options.getRevision(), options.hasRevision());
      const verdict = this.log.softDelete(stream, expected);
      if (verdict.kind !== 'success') return callback(notDeleted(stream, expected, verdict));
      const position = new DeleteResp.Position();
      position.setCommitPosition(String(verdict.position));
      position.setPreparePosition(String(verdict.position));
      const answer = new DeleteResp();
      answer.setPosition(position);
      callback(null, answer);
    };
  }

  private tombstoneStream(): handleUnaryCall<TombstoneReq, TombstoneResp> {
    return (call, callback) => {
      const options = call.request.getOptions()!;
      const stream = streamName(options.getStreamIdentifier());
      const expected = expectedOf(options, () => options.getRevision(), options.hasRevision());
      const verdict = this.log.tombstone(stream, expected);
      if (verdict.kind !== 'success') return callback(notDeleted(stream, expected, verdict));
      const position = new TombstoneResp.Position();
      position.setCommitPosition(String(verdict.position));
      position.setPreparePosition(String(verdict.position));
      const answer = new TombstoneResp();
      answer.setPosition(position);
      callback(null, answer);
    };
  }

  private clusterInfo(): ClusterInfo {
    const info = new ClusterInfo();
    const { leader } = this;
    if (leader) info.addMembers(member(leader.port, MemberInfo.VNodeState.LEADER));
    info.addMembers(
      member(this.port, leader ? MemberInfo.VNodeState.FOLLOWER : MemberInfo.VNodeState.LEADER),
    );
    return info;
  }
}

function notDeleted(
  stream: string,
  expected: Expected,
  verdict: Exclude<Verdict, { kind: 'success' }>,
): ServiceError {
  if (verdict.kind !== 'wrong') return streamDeleted(stream);
  const [wanted, current] = [NUMBERS[expected as 'any'] ?? expected, verdict.current ?? -1];
  return callError(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(wanted),
      'actual-version': String(current),
    },
  );
}

/** As the server writes what is no revision. */
const NUMBERS = { no_stream: -1, any: -2, stream_exists: -4 } as const;

function credentialsOf(tls: DoubleOptions['tls']): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }]);
}

function member(port: number, state: MemberInfo.VNodeState): MemberInfo {
  const endPoint = new EndPoint();
  endPoint.setAddress('127.0.0.1');
  endPoint.setPort(port);
  const id = new UUID();
  id.setString(crypto.randomUUID());
  const info = new MemberInfo();
  info.setInstanceId(id);
  info.setTimeStamp('0');
  info.setState(state);
  info.setIsAlive(true);
  info.setHttpEndPoint(endPoint);
  return info;
}

function supportedMethods(): SupportedMethods {
  const supported = new SupportedMethods();
  supported.setEventStoreServerVersion('24.2.0');
  for (const name of ['batchappend', 'append', 'read', 'delete', 'tombstone']) {
    const method = new SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    supported.addMethods(method);
  }
  return supported;
}
