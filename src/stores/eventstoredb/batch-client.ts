import { randomUUID } from 'node:crypto';
import {
  CancelledError,
  type ChannelCredentialOptions,
  convertToCommandError,
  type Credentials,
  EventStoreDBClient,
  type SingleNodeOptions,
  UnavailableError,
} from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type Attempt, attemptOf, type BatchAnswer, readAnswer, requestsOf } from './batch-wire.js';
import { appendFailure } from './client-errors.js';
import type { CheckedAppend } from './event-format.js';
import { readDelivery } from './read-wire.js';

const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';
const READ = '/event_store.client.streams.Streams/Read';

type BatchCall = ReturnType<typeof openAppends>;
type CallArguments = Required<Parameters<StreamsClient['batchAppend']>>;
/** The call of an open subscription. */
export type ReadCall = ReturnType<typeof openRead>;

interface PendingAppend {
  readonly append: CheckedAppend;
  readonly resolve: (attempt: Attempt) => void;
}

/** Appends in flight on one gRPC call, by correlation id. */
type PendingAppends = Map<string, PendingAppend>;

/** A gRPC call for appends. A new connection gets a new call. */
type CallByClient = WeakMap<StreamsClient, BatchCall>;

/**
 * Number of gRPC calls for appends. gRPC sends one message of each call per turn of the event loop, so a single call is
 * slow in a busy process.
 */
const APPEND_CALLS = 32;

/**
 * Bytes that the server may send ahead, on the connection and on each call. The default of 64 KiB is a third of a bulk's
 * answers and events, and costs a round trip each time that it is used up.
 */
const WINDOW_BYTES = 4 * 1_048_576;

/** What of a gRPC channel is no part of its interface. */
interface OpenChannel {
  readonly internalChannel: { getOptions(): Record<string, unknown> };
}

/**
 * The client with its own calls for appends and subscriptions. A pending append belongs to the call that it was sent on.
 * The `append` of the package mixes the calls: the late end of an old call rejects appends on the new one.
 */
export class BatchClient extends EventStoreDBClient {
  readonly #pending = new WeakMap<BatchCall, PendingAppends>();
  readonly #lanes: readonly CallByClient[] = Array.from({ length: APPEND_CALLS }, () => new WeakMap());
  #lane = 0;

  constructor(settings: SingleNodeOptions, channel?: ChannelCredentialOptions, credentials?: Credentials) {
    super(settings, channel, credentials);
    const client = this as unknown as { createChannel: () => Promise<OpenChannel> };
    const { createChannel } = client;
    client.createChannel = async () => withWindow(await createChannel());
  }

  /**
   * One attempt of an append. Never rejects. If the server does not answer, it never settles.
   * @param deadline the instant, in milliseconds, at which the server gives up
   */
  async append(append: CheckedAppend, deadline: number): Promise<Attempt> {
    const lane = this.#lanes[(this.#lane = (this.#lane + 1) % APPEND_CALLS)]!;
    let call: BatchCall;
    try {
      call = await this.GRPCStreamCreator(
        StreamsClient,
        'batchAppend',
        (client) => this.#open(client, lane),
        lane,
      )();
    } catch (error) {
      return failed(error);
    }
    return new Promise((resolve) => {
      const correlation = randomUUID();
      this.#pending.get(call)!.set(correlation, { append, resolve });
      for (const request of requestsOf(append, correlation, deadline)) call.write(request);
    });
  }

  /**
   * Opens a subscription. Rejects if the client has no server.
   * @param streamPrefix see `readDelivery`
   * @param attend gets the call before its first message, to add listeners
   */
  follow(
    request: ReadReq,
    streamPrefix: string | undefined,
    attend: (call: ReadCall) => void,
  ): Promise<ReadCall> {
    return this.GRPCStreamCreator(StreamsClient, 'subscribeToAll', (client) => {
      const call = openRead(client, request, streamPrefix, this.#arguments(true));
      attend(call);
      return call;
    })();
  }

  #open(client: StreamsClient, lane: CallByClient): BatchCall {
    const call = openAppends(client, this.#arguments());
    const pending: PendingAppends = new Map();
    this.#pending.set(call, pending);
    const end = (error: unknown) => {
      const attempt = failed(error);
      for (const { resolve } of pending.values()) resolve(attempt);
      pending.clear();
    };
    call.on('data', (answer: BatchAnswer) => {
      const { correlation } = answer;
      const waiting = pending.get(correlation);
      // A server may answer twice.
      if (waiting === undefined) return;
      pending.delete(correlation);
      waiting.resolve(attemptOf(waiting.append, answer));
    });
    call.on('error', (error: unknown) => {
      end(error);
      if (closesChannel(error)) this.#cancelAll(client);
    });
    call.on('end', () => {
      // The client keeps a call until both sides have ended it.
      if (lane.get(client) === call) lane.delete(client);
      call.end();
      end(new Error('the server ended the call'));
    });
    return call;
  }

  /** Without this, appends on a closed channel would wait until the server's connection breaks. */
  #cancelAll(client: StreamsClient): void {
    for (const lane of this.#lanes) {
      const call = lane.get(client);
      lane.delete(client);
      call?.cancel();
    }
  }

  /**
   * The connection's credentials, without a deadline. Reads demand the leader, because a follower may lack acknowledged
   * appends. For appends any node will do: it forwards them.
   */
  #arguments(requiresLeader = false): CallArguments {
    const client = this as unknown as {
      callArguments(options: { requiresLeader: boolean }, call: { deadline: number }): CallArguments;
    };
    return client.callArguments({ requiresLeader }, { deadline: Infinity });
  }
}

/** The package lets nobody set options of its channel. The channel reads them when it connects, so later than this. */
function withWindow(channel: OpenChannel): OpenChannel {
  channel.internalChannel.getOptions()['grpc-node.flow_control_window'] = WINDOW_BYTES;
  return channel;
}

function openAppends(client: StreamsClient, [metadata, options]: CallArguments) {
  const serialized = (message: BatchAppendReq) => Buffer.from(message.serializeBinary());
  return client.makeBidiStreamRequest(BATCH_APPEND, serialized, readAnswer, metadata, options);
}

function openRead(
  client: StreamsClient,
  request: ReadReq,
  streamPrefix: string | undefined,
  [metadata, options]: CallArguments,
) {
  const serialized = (message: ReadReq) => Buffer.from(message.serializeBinary());
  const read = (bytes: Uint8Array) => readDelivery(bytes, streamPrefix);
  return client.makeServerStreamRequest(READ, serialized, read, request, metadata, options);
}

/** True if the client closes its channel after this error. */
function closesChannel(error: unknown): boolean {
  const ended = convertToCommandError(error as Error);
  return ended instanceof UnavailableError || ended instanceof CancelledError;
}

function failed(error: unknown): Attempt {
  return appendFailure(error instanceof Error ? convertToCommandError(error) : error);
}
