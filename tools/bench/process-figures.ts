import { readdirSync, readFileSync } from 'node:fs';

/** Figures of a process in Linux's `/proc/{pid}/stat`. */
export interface ProcessTimes {
  readonly parent: number;
  /** Processor time of all its threads, in seconds. */
  readonly own: number;
  /** Processor time of its children that have ended, in seconds. */
  readonly ofEndedChildren: number;
}

/** Memory of a process, in bytes. */
export interface ProcessMemory {
  readonly resident: number;
  /** Resident memory without the pages of mapped files, which the system can free. */
  readonly own: number;
  /** The highest resident memory so far. */
  readonly peak: number;
}

/** Ticks of the processor clock in a second. The same on every Linux. */
const TICKS = 100;

/** @param stat the text of `/proc/{pid}/stat`. The name in it may contain spaces and parentheses. */
export function processTimesIn(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (user: number) => (Number(fields[user]) + Number(fields[user + 1])) / TICKS;
  return { parent: Number(fields[1]), own: seconds(11), ofEndedChildren: seconds(13) };
}

/** @param status the text of `/proc/{pid}/status` */
export function memoryIn(status: string): ProcessMemory {
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  const resident = bytes('VmRSS');
  return { resident, own: resident - bytes('RssFile') - bytes('RssShmem'), peak: bytes('VmHWM') };
}

/** Processor time of all threads of a process, in seconds. Undefined if the system does not show it. */
export function processorSeconds(pid: number): number | undefined {
  return ifShown(() => processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8')).own);
}

/** Processor time of a process and all its children, ended ones too, in seconds. */
export function processorSecondsWithChildren(pid: number): number | undefined {
  return ifShown(() => {
    const { own, ofEndedChildren } = processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return allTimes()
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + child.own, own + ofEndedChildren);
  });
}

/** Processor time of the ended children of this process, in seconds. Undefined if the system does not show it. */
export function endedChildrensProcessorSeconds(): number | undefined {
  return ifShown(() => processTimesIn(readFileSync('/proc/self/stat', 'utf8')).ofEndedChildren);
}

/** Undefined if the system does not show it, or if the process has ended. */
export function memoryOf(pid: number): ProcessMemory | undefined {
  return ifShown(() => memoryIn(readFileSync(`/proc/${pid}/status`, 'utf8')));
}

function allTimes(): ProcessTimes[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // A process may end after the listing.
  return pids.flatMap(
    (pid) => ifShown(() => processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))) ?? [],
  );
}

function ifShown<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
