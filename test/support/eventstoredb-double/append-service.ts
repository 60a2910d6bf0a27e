import {
  status,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import {
  BadRequest,
  AllStreamPosition,
  Empty as SharedEmpty,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  Timeout,
  UUID as WireUuid,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { AppendResp, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import { MOST_DATA_BYTES, type Expected, type ProposedEvent, type Verdict } from './event-log.js';
import type { NodeContext } from './node-context.js';
import {
  answerError,
  callError,
  proposedEvent,
  streamDeleted,
  streamIdentifier,
  streamName,
} from './wire.js';

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** Milliseconds until a stored append whose id stands in another stream can be looked up by its stream and is answered. */
const INDEXING_MS = 20;
/** The largest message that the server takes. */
const MOST_MESSAGE_BYTES = 16 * 1_048_576;

/** One append on the batch path, as it comes together from its messages. */
interface BatchAppend {
  readonly correlation: WireUuid;
  readonly stream: string;
  readonly expected: Expected;
  /** Milliseconds from its arrival. */
  readonly deadline: number;
  readonly events: ProposedEvent[];
}

/** Appends, on the batch path and on the unary one. */
export class AppendService {
  /** What is in flight: an identical append beside it is dropped and left to its deadline. */
  private readonly inFlight = new Set<string>();
  /** Stored, and not in the server's index yet. */
  private readonly unindexed = new Set<string>();
  private refused = 0;

  constructor(private readonly node: NodeContext) {}

  /** What a killed server forgets. */
  reset(): void {
    this.inFlight.clear();
    this.unindexed.clear();
  }

  batchAppend(call: BatchCall): void {
    const { node } = this;
    if (node.faults.take('unavailable'))
      return void call.emit('error', callError(status.UNAVAILABLE, 'Unavailable'));
    const forget = node.open(
      'append',
      (error) => call.emit('error', error),
      () => call.end(),
    );
    const open = new Map<string, BatchAppend>();
    call.on('data', (request: BatchAppendReq) => {
      node.messages += 1;
      if (isTooLong(request.getProposedMessagesList())) return void call.emit('error', tooLong());
      const correlation = request.getCorrelationId()!;
      const append =
        open.get(correlation.getString()) ?? batchAppendOf(request, correlation, node.longestDeadline);
      open.set(correlation.getString(), append);
      append.events.push(...request.getProposedMessagesList().map(proposedEvent));
      if (!request.getIsFinal()) return;
      open.delete(correlation.getString());
      const { stream, expected, events } = append;
      node.received.push({ stream, expected, ids: events.map((event) => event.id) });
      void this.work(call, append);
    });
    call.on('end', () => call.end());
    call.on('close', forget);
    call.on('cancelled', forget);
  }

  /** The unary path, which the client takes for appends with credentials of their own. */
  append(call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>): void {
    let stream = '';
    let expected: Expected = 'any';
    const events: ProposedEvent[] = [];
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      if (options) {
        stream = streamName(options.getStreamIdentifier());
        expected = expectedOf(options, () => options.getRevision(), options.hasRevision());
      }
      const message = request.getProposedMessage();
      if (message && isTooLong([message])) return callback(tooLong());
      if (message) events.push(proposedEvent(message));
    });
    call.on('end', () => {
      const verdict = this.node.log.append(stream, expected, events);
      this.answerUnary({ stream, expected }, verdict, callback);
    });
  }

  private async work(call: BatchCall, append: BatchAppend): Promise<void> {
    const { faults } = this.node;
    const turnedAway = faults.notReady && (this.refused += 1) % 2 === 1;
    if (turnedAway || faults.take('refusals')) {
      return void call.write(failed(append, answerError('Server Is Not Ready')));
    }
    const key = keyOf(append);
    const cancelDeadline = this.answerAtDeadline(call, append);
    if (this.inFlight.has(key)) return;
    this.inFlight.add(key);
    if (faults.held) await faults.held;
    const { disk } = this.node;
    if (disk) await disk.write(append.events.flatMap(({ data, metadata }) => [data, metadata]));
    // A server that was killed in the meantime has forgotten it.
    if (!this.inFlight.delete(key)) return cancelDeadline.cancel();
    if (faults.notReady) {
      cancelDeadline.cancel();
      this.node.log.append(append.stream, append.expected, append.events);
      return;
    }
    this.store(call, append, cancelDeadline);
  }

  private store(
    call: BatchCall,
    append: BatchAppend,
    deadline: { cancel(): void; readonly passed: boolean },
  ): void {
    const { faults, log } = this.node;
    const { end } = log;
    const verdict = this.verdictOn(append);
    if (deadline.passed) return;
    // A server answers an append that is none once more when its time is over.
    if (verdict.kind !== 'bad') deadline.cancel();
    const stored = verdict.kind === 'success';
    if (stored && faults.storedTheLast()) return this.node.die();
    if (stored && faults.losesAnswer()) return;
    const isNew = log.end !== end;
    const isElsewhere = append.events.some(({ id }) => log.hasElsewhere(append.stream, id));
    if (isNew && isElsewhere) return this.answerOnceIndexed(call, append, verdict);
    this.tell(call, append, verdict);
  }

  /** An id that another stream has is looked for in the index, which has a stored append only after a while. */
  private verdictOn(append: BatchAppend): Verdict {
    const { log } = this.node;
    if (!this.unindexed.has(keyOf(append))) return log.append(append.stream, append.expected, append.events);
    return { kind: 'wrong', current: log.streamEvents(append.stream)!.length - 1 };
  }

  private answerOnceIndexed(call: BatchCall, append: BatchAppend, verdict: Verdict): void {
    this.unindexed.add(keyOf(append));
    setTimeout(() => {
      // A server that was killed in the meantime answers nobody.
      if (this.unindexed.delete(keyOf(append))) this.tell(call, append, verdict);
    }, INDEXING_MS).unref();
  }

  private tell(call: BatchCall, append: BatchAppend, verdict: Verdict): void {
    const { faults } = this.node;
    const told: Verdict = faults.take('falseConflicts') ? { kind: 'wrong', current: undefined } : verdict;
    const answer = this.answer(append, told);
    call.write(answer);
    if (!faults.take('answerTwice')) return;
    call.write(answer);
    call.write(this.answer({ ...append, correlation: new WireUuid() }, told));
  }

  private answerAtDeadline(call: BatchCall, append: BatchAppend) {
    const state = { passed: false, cancel: () => clearTimeout(timer) };
    const timer = setTimeout(() => {
      state.passed = true;
      const error = answerError('Timeout', 'event_store.client.Timeout', new Timeout().serializeBinary());
      if (call.cancelled || call.destroyed) return;
      this.node.timeouts += 1;
      call.write(failed(append, error));
    }, append.deadline);
    timer.unref();
    return state;
  }

  private answer(append: BatchAppend, verdict: Verdict): BatchAppendResp {
    switch (verdict.kind) {
      case 'success': {
        const success = new BatchAppendResp.Success();
        success.setCurrentRevision(String(verdict.revision));
        if (this.node.faults.take('withoutPosition')) {
          success.setNoPosition(new Empty());
        } else {
          const position = new AllStreamPosition();
          position.setCommitPosition(String(verdict.position));
          position.setPreparePosition(String(verdict.position));
          success.setPosition(position);
        }
        const answer = answerTo(append);
        answer.setSuccess(success);
        return answer;
      }
      case 'wrong': {
        const details = wrongVersion(append.expected, verdict.current).serializeBinary();
        return failed(append, answerError('', 'event_store.client.WrongExpectedVersion', details));
      }
      case 'bad':
        return badRequest(append);
      case 'deleted': {
        const details = new StreamDeleted();
        details.setStreamIdentifier(streamIdentifier(append.stream));
        return failed(append, answerError('', 'event_store.client.StreamDeleted', details.serializeBinary()));
      }
      case 'too_large': {
        const details = new MaximumAppendSizeExceeded();
        details.setMaxappendsize(MOST_DATA_BYTES);
        const name = 'event_store.client.MaximumAppendSizeExceeded';
        return failed(append, answerError('', name, details.serializeBinary()));
      }
    }
  }

  private answerUnary(
    { stream, expected }: { readonly stream: string; readonly expected: Expected },
    verdict: Verdict,
    callback: sendUnaryData<AppendResp>,
  ): void {
    const answer = new AppendResp();
    switch (verdict.kind) {
      case 'success': {
        const success = new AppendResp.Success();
        success.setCurrentRevision(String(verdict.revision));
        const position = new AppendResp.Position();
        position.setCommitPosition(String(verdict.position));
        position.setPreparePosition(String(verdict.position));
        success.setPosition(position);
        answer.setSuccess(success);
        return callback(null, answer);
      }
      case 'wrong': {
        answer.setWrongExpectedVersion(wrongUnary(expected, verdict.current));
        return callback(null, answer);
      }
      case 'bad':
        return callback(callError(status.UNKNOWN, 'Exception was thrown by handler.'));
      case 'deleted':
        return callback(streamDeleted(stream));
      case 'too_large':
        return callback(
          callError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MOST_DATA_BYTES} Exceeded.`, {
            exception: 'maximum-append-size-exceeded',
            'maximum-append-size': String(MOST_DATA_BYTES),
          }),
        );
    }
  }
}

function keyOf({ stream, expected, events }: BatchAppend): string {
  return JSON.stringify([stream, expected, events.map(({ id }) => id)]);
}

interface ExpectedOptions {
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

export function expectedOf(options: ExpectedOptions, revision: () => string, hasRevision: boolean): Expected {
  if (hasRevision) return Number(revision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
}

function batchAppendOf(request: BatchAppendReq, correlation: WireUuid, longestDeadline: number): BatchAppend {
  const options = request.getOptions()!;
  const wished = (options.getDeadline()?.toDate().getTime() ?? Infinity) - Date.now();
  return {
    correlation,
    stream: streamName(options.getStreamIdentifier()),
    expected: expectedOf(options, () => options.getStreamPosition(), options.hasStreamPosition()),
    deadline: Math.max(0, Math.min(wished, longestDeadline)),
    events: [],
  };
}

function isTooLong(messages: readonly { getData_asU8(): Uint8Array }[]): boolean {
  return messages.reduce((sum, message) => sum + message.getData_asU8().length, 0) > MOST_MESSAGE_BYTES;
}

function tooLong() {
  const text = 'Received message exceeds the maximum configured message size.';
  return callError(status.RESOURCE_EXHAUSTED, text);
}

function answerTo(append: BatchAppend): BatchAppendResp {
  const answer = new BatchAppendResp();
  answer.setCorrelationId(append.correlation);
  answer.setStreamIdentifier(streamIdentifier(append.stream));
  return answer;
}

function failed(append: BatchAppend, error: ReturnType<typeof answerError>): BatchAppendResp {
  const answer = answerTo(append);
  answer.setError(error);
  return answer;
}

function badRequest(append: BatchAppend): BatchAppendResp {
  const details = new BadRequest();
  details.setMessage('BadRequest');
  return failed(
    append,
    answerError('BadRequest', 'event_store.client.BadRequest', details.serializeBinary()),
  );
}

function wrongUnary(expected: Expected, current: number | undefined): AppendResp.WrongExpectedVersion {
  const wrong = new AppendResp.WrongExpectedVersion();
  if (current === undefined) wrong.setCurrentNoStream(new SharedEmpty());
  else wrong.setCurrentRevision(String(current));
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new SharedEmpty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new SharedEmpty());
  else wrong.setExpectedAny(new SharedEmpty());
  return wrong;
}

function wrongVersion(expected: Expected, current: number | undefined): WrongExpectedVersion {
  const wrong = new WrongExpectedVersion();
  if (current === undefined) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentStreamRevision(String(current));
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new Empty());
  else wrong.setExpectedAny(new Empty());
  return wrong;
}
