import { randomUUID } from 'node:crypto';
import {
  CancelledError,
  convertToCommandError,
  EventStoreDBClient,
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
/** A subscription that was opened. */
export type ReadCall = ReturnType<typeof openRead>;

interface PendingAppend {
  readonly append: CheckedAppend;
  readonly resolve: (attempt: Attempt) => void;
}

/** Appends in flight on one stream of messages, by correlation id. */
type PendingAppends = Map<string, PendingAppend>;

/** One of the streams of messages, by connection: a connection that is healed gets another one. */
type Lane = WeakMap<StreamsClient, BatchCall>;

/**
 * Streams of messages on the connection. gRPC sends one message of each in a turn of the event loop, so one alone is slow
 * while requests keep the loop busy.
 */
const APPEND_STREAMS = 32;

/**
 * The client with calls of our own on its channel. A pending append belongs to the batch stream that it was sent on. The
 * client's own append keeps all in one place: the late end of an old stream rejects what is in flight on the new one, whose
 * answers then throw.
 */
export class BatchClient extends EventStoreDBClient {
  readonly #pending = new WeakMap<BatchCall, PendingAppends>();
  readonly #lanes: readonly Lane[] = Array.from({ length: APPEND_STREAMS }, () => new WeakMap());
  #turn = 0;

  /**
   * One try of an append. Never rejects; may never settle where the server is silent.
   * @param deadline milliseconds since the epoch, by which the server is to give up
   */
  async append(append: CheckedAppend, deadline: number): Promise<Attempt> {
    const lane = this.#lanes[(this.#turn = (this.#turn + 1) % APPEND_STREAMS)]!;
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
   * Opens a read that goes on with what is stored later. Rejects where the client has no server to ask.
   * @param attend is given the call as it is made, before it can bring anything
   */
  follow(request: ReadReq, attend: (call: ReadCall) => void): Promise<ReadCall> {
    return this.GRPCStreamCreator(StreamsClient, 'subscribeToAll', (client) => {
      const call = openRead(client, request, this.#arguments(true));
      attend(call);
      return call;
    })();
  }

  #open(client: StreamsClient, lane: Lane): BatchCall {
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
      // A server was seen to answer twice.
      if (waiting === undefined) return;
      pending.delete(correlation);
      waiting.resolve(attemptOf(waiting.append, answer));
    });
    call.on('error', (error: unknown) => {
      end(error);
      if (closesChannel(error)) this.#cancelAll(client);
    });
    call.on('end', () => {
      // The client keeps a call until both of its halves have ended.
      if (lane.get(client) === call) lane.delete(client);
      call.end();
      end(new Error('the server ended the call'));
    });
    return call;
  }

  /** Appends on a channel that the client has closed would wait for an answer until the server's connection breaks. */
  #cancelAll(client: StreamsClient): void {
    for (const lane of this.#lanes) {
      const call = lane.get(client);
      lane.delete(client);
      call?.cancel();
    }
  }

  /**
   * With the credentials of the connection, and open for as long as it may be. What is read asks for the leader, as a follower
   * says that it has sent all while it lacks an acknowledged append; appends are forwarded to it by any node.
   */
  #arguments(requiresLeader = false): CallArguments {
    const client = this as unknown as {
      callArguments(options: { requiresLeader: boolean }, call: { deadline: number }): CallArguments;
    };
    return client.callArguments({ requiresLeader }, { deadline: Infinity });
  }
}

function openAppends(client: StreamsClient, [metadata, options]: CallArguments) {
  const serialized = (message: BatchAppendReq) => Buffer.from(message.serializeBinary());
  return client.makeBidiStreamRequest(BATCH_APPEND, serialized, readAnswer, metadata, options);
}

function openRead(client: StreamsClient, request: ReadReq, [metadata, options]: CallArguments) {
  const serialized = (message: ReadReq) => Buffer.from(message.serializeBinary());
  return client.makeServerStreamRequest(READ, serialized, readDelivery, request, metadata, options);
}

/** Whether the client closes its channel after this end of a call. */
function closesChannel(error: unknown): boolean {
  const ended = convertToCommandError(error as Error);
  return ended instanceof UnavailableError || ended instanceof CancelledError;
}

function failed(error: unknown): Attempt {
  return appendFailure(error instanceof Error ? convertToCommandError(error) : error);
}
