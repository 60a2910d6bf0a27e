import { randomUUID } from 'node:crypto';
import { convertToCommandError, EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamAppend } from '../event-store.js';
import { type Attempt, attemptOf, correlationOf, requestsOf } from './batch-wire.js';
import { appendFailure } from './client-errors.js';

type BatchCall = ReturnType<StreamsClient['batchAppend']>;
type CallArguments = Parameters<StreamsClient['batchAppend']>;

interface PendingAppend {
  readonly append: StreamAppend;
  readonly resolve: (attempt: Attempt) => void;
}

/** Appends in flight on each stream. */
type PendingAppends = Map<string, PendingAppend>;

/**
 * The client with batch streams of our own on its channel, so that what is pending belongs to the stream that it was
 * sent on. The client's own append keeps all in one place: the late end of an old stream rejects what is in flight on the
 * new one, whose answers then throw.
 */
export class BatchClient extends EventStoreDBClient {
  readonly #pending = new WeakMap<BatchCall, PendingAppends>();
  /** By connection: one that is healed gets another stream. */
  readonly #calls = new WeakMap<StreamsClient, BatchCall>();

  /**
   * One try of an append. Never rejects; may never settle where the server is silent.
   * @param deadline milliseconds since the epoch, by which the server is to give up
   */
  async append(append: StreamAppend, deadline: number): Promise<Attempt> {
    let call: BatchCall;
    try {
      call = await this.GRPCStreamCreator(
        StreamsClient,
        'batchAppend',
        (client) => this.#open(client),
        this.#calls,
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

  #open(client: StreamsClient): BatchCall {
    const call = client.batchAppend(...this.#arguments());
    const pending: PendingAppends = new Map();
    this.#pending.set(call, pending);
    const end = (error: unknown) => {
      const attempt = failed(error);
      for (const { resolve } of pending.values()) resolve(attempt);
      pending.clear();
    };
    call.on('data', (answer: BatchAppendResp) => {
      const correlation = correlationOf(answer);
      const waiting = pending.get(correlation);
      // A server was seen to answer twice.
      if (waiting === undefined) return;
      pending.delete(correlation);
      waiting.resolve(attemptOf(waiting.append, answer));
    });
    call.on('error', end);
    call.on('end', () => {
      // The client keeps a call until both of its halves have ended.
      if (this.#calls.get(client) === call) this.#calls.delete(client);
      call.end();
      end(new Error('the server ended the call'));
    });
    return call;
  }

  /** With the credentials of the connection, and open for as long as it may be. */
  #arguments(): CallArguments {
    const client = this as unknown as {
      callArguments(options: { credentials?: Credentials }, call: { deadline: number }): CallArguments;
    };
    return client.callArguments({}, { deadline: Infinity });
  }
}

function failed(error: unknown): Attempt {
  return appendFailure(error instanceof Error ? convertToCommandError(error) : error);
}
