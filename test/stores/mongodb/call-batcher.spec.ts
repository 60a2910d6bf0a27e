import {
  CallBatcher,
  type BatchedCall,
  companyIn,
  isLargeCall,
  type BatchedKind,
} from '#stores/mongodb/call-batcher.js';
import { CallDeadline } from '#stores/mongodb/call-deadline.js';
import { RefusedCallError } from '#stores/mongodb/mongodb-errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { ServerPresence } from '#kernel/server-presence.js';
import { ManualClock } from '../../support/manual-clock.js';

interface Sent {
  readonly calls: readonly string[];
  readonly deadline: CallDeadline;
  /** Answers each call with its own name, or fails. */
  answer(error?: Error): Promise<void>;
}

class Double {
  readonly sent: Sent[] = [];
  readonly batcher = new CallBatcher();
  readonly reads = this.lane('read');
  readonly writes = this.lane('write');

  lane(kind: 'read' | 'write'): BatchedKind<string, string> {
    return {
      kind,
      send: (calls, deadline) =>
        new Promise((resolve, reject) => {
          const answer = async (error?: Error): Promise<void> => {
            if (error === undefined) resolve(calls.map((call) => `answer to ${call}`));
            else reject(error);
            await settled();
          };
          this.sent.push({ calls, deadline, answer });
        }),
    };
  }

  ask(call: string, of: Partial<BatchedCall<string, string>> = {}, milliseconds = 4_000): Promise<string> {
    const other = { company: 'c', count: 1, bytes: 0, writes: [], isAlone: false };
    return this.batcher.run({ lane: this.reads, call, ...other, ...of }, deadlineOf(milliseconds));
  }

  write(call: string, id: string, of: Partial<BatchedCall<string, string>> = {}): Promise<string> {
    return this.ask(call, { lane: this.writes, writes: [id], ...of });
  }

  get batches(): string[] {
    return this.sent.map(({ calls }) => calls.join(' '));
  }
}

function deadlineOf(milliseconds: number): CallDeadline {
  return new CallDeadline(milliseconds, new ServerPresence(new ManualClock()));
}

/** All that follows of a promise has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Timers and `performance.now` on a time that the test advances. */
class Timers {
  readonly #due = new Map<NodeJS.Timeout, { readonly at: number; readonly task: () => void }>();
  #now = 0;

  constructor() {
    jest.spyOn(performance, 'now').mockImplementation(() => this.#now);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((task: () => void, milliseconds = 0) => {
      const timer = {} as NodeJS.Timeout;
      this.#due.set(timer, { at: this.#now + milliseconds, task });
      return timer;
    });
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      this.#due.delete(timer as NodeJS.Timeout);
    });
  }

  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const [timer, { at, task }] of this.#due) {
      if (at > this.#now) continue;
      this.#due.delete(timer);
      task();
    }
    await settled();
  }
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

let double: Double;
let timers: Timers;

beforeEach(() => {
  timers = new Timers();
  double = new Double();
});
afterEach(() => jest.restoreAllMocks());

const unavailable = (outcomeUnknown: boolean) =>
  expect.objectContaining({ code: 'store_unavailable', outcomeUnknown });

test('the first call goes at once; others gather while it is under way, and go as one when it is back', async () => {
  const asked = ['a', 'b', 'c'].map((call) => double.ask(call));
  expect(double.batches).toEqual(['a']);
  await double.sent[0]!.answer();
  expect(double.batches).toEqual(['a', 'b c']);
  await double.sent[1]!.answer();
  expect(await Promise.all(asked)).toEqual(['answer to a', 'answer to b', 'answer to c']);
});

test('a call never joins what was sent, so that it sees what was written before it', async () => {
  void double.ask('a');
  void double.ask('b');
  await double.sent[0]!.answer();
  void double.ask('b');
  expect(double.batches).toEqual(['a', 'b']);
  await double.sent[1]!.answer();
  expect(double.batches).toEqual(['a', 'b', 'b']);
});

test('calls of different lanes do not wait for each other', () => {
  void double.ask('a');
  void double.ask('b', { lane: double.lane('read') });
  void double.write('w', 'id');
  expect(double.batches).toEqual(['a', 'b', 'w']);
});

test('at most 256 ids share a batch, and a full one goes while another is under way', async () => {
  void double.ask('a');
  void double.ask('b', { count: 200 });
  void double.ask('c', { count: 56 });
  expect(double.batches).toEqual(['a']);
  void double.ask('d');
  expect(double.batches).toEqual(['a', 'b c']);
  await double.sent[0]!.answer();
  await double.sent[1]!.answer();
  expect(double.batches).toEqual(['a', 'b c', 'd']);
  expect([isLargeCall(256), isLargeCall(257)]).toEqual([false, true]);
});

test('at most 4 MB share a batch', () => {
  const bytes = 3 * 1_024 * 1_024;
  void double.ask('a');
  void double.ask('b', { bytes });
  void double.ask('c', { bytes });
  expect(double.batches).toEqual(['a', 'b']);
});

test('at most four batches are under way', async () => {
  void double.ask('a');
  for (const call of ['b', 'c', 'd', 'e', 'f']) void double.ask(call, { count: 256 });
  expect(double.batches).toEqual(['a', 'b', 'c', 'd']);
  await double.sent[2]!.answer();
  expect(double.batches).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a batch older than 250 ms holds nobody back', async () => {
  void double.ask('a');
  void double.ask('b');
  await timers.advance(249);
  expect(double.batches).toEqual(['a']);
  await timers.advance(1);
  expect(double.batches).toEqual(['a', 'b']);
});

test('companies take turns: a flood of one leaves room for the others', () => {
  void double.ask('first');
  for (let number = 0; number < 3; number += 1) {
    void double.ask(`flood-${number}`, { company: 'flood', count: 60 });
  }
  void double.ask('b', { company: 'b', count: 40 });
  void double.ask('c', { company: 'c', count: 60 });
  expect(double.batches).toEqual(['first', 'flood-0 b c flood-1']);
  expect(companyIn('unit-01JZZZZZZZZZZZZZZZZZZZZZZZ.a-1')).toBe('01JZZZZZZZZZZZZZZZZZZZZZZZ');
  expect(companyIn('+15550100')).toBe('+15550100');
});

test('a call that goes alone goes at once and holds nobody back', () => {
  void double.ask('a');
  void double.ask('alone', { isAlone: true });
  void double.ask('another', { isAlone: true });
  void double.ask('b');
  expect(double.batches).toEqual(['a', 'alone', 'another']);
});

test('two writes of one document never share a batch and keep their order, also if one goes alone', async () => {
  void double.write('other', 'x');
  void double.write('first', 'a');
  void double.write('second', 'a');
  void double.write('third', 'a', { isAlone: true });
  void double.write('beside', 'b');
  expect(double.batches).toEqual(['other']);
  await double.sent[0]!.answer();
  expect(double.batches).toEqual(['other', 'first beside']);
  // Not even a batch that holds nobody back any more is overtaken.
  await timers.advance(300);
  expect(double.batches).toEqual(['other', 'first beside']);
  await double.sent[1]!.answer();
  expect(double.batches).toEqual(['other', 'first beside', 'second']);
  await double.sent[2]!.answer();
  expect(double.batches).toEqual(['other', 'first beside', 'second', 'third']);
});

test('a call whose deadline passes while it is gathered is taken out, and nothing was stored', async () => {
  void double.write('a', 'a');
  await timers.advance(100);
  const late = double.ask('b', { lane: double.writes, writes: ['b'] }, 100);
  const failure = failureOf(late);
  await timers.advance(100);
  expect(await failure).toEqual(unavailable(false));
  await double.sent[0]!.answer();
  await timers.advance(300);
  expect(double.batches).toEqual(['a']);
});

test('after sending, a write whose deadline passes has an unknown outcome, and the batch goes on for the others', async () => {
  void double.write('a', 'a');
  const short = double.ask('short', { lane: double.writes, writes: ['b'] }, 1_000);
  const long = double.ask('long', { lane: double.writes, writes: ['c'] }, 3_000);
  await double.sent[0]!.answer();
  const failure = failureOf(short);
  await timers.advance(1_000);
  expect(await failure).toEqual(unavailable(true));
  // Its bound is that of the latest caller.
  expect(double.sent[1]!.deadline.remaining).toBe(2_000);
  await double.sent[1]!.answer();
  expect(await long).toBe('answer to long');
});

test('an error that is not of the connection sends each call again alone', async () => {
  void double.ask('a');
  const good = double.ask('good');
  const bad = double.ask('bad');
  await double.sent[0]!.answer();
  await double.sent[1]!.answer(new RefusedCallError('Too large.', false));
  expect(double.batches).toEqual(['a', 'good bad', 'good', 'bad']);
  await double.sent[2]!.answer();
  const failure = failureOf(bad);
  await double.sent[3]!.answer(new RefusedCallError('Too large.', false));
  expect(await failure).toEqual(new RefusedCallError('Too large.', false));
  expect(await good).toBe('answer to good');
});

test('an error of the connection fails all of a batch', async () => {
  void double.ask('a');
  const failures = ['b', 'c'].map((call) => failureOf(double.ask(call)));
  await double.sent[0]!.answer();
  await double.sent[1]!.answer(new StoreUnavailableError('Cut off.', true));
  expect(await Promise.all(failures)).toEqual([unavailable(true), unavailable(true)]);
  expect(double.batches).toEqual(['a', 'b c']);
});
