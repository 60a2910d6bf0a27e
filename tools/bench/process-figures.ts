import { readdirSync, readFileSync } from 'node:fs';

/** Figures of a process in Linux's `/proc/{pid}/stat`. */
export interface ProcessTimes {
  readonly parent: number;
  /** Processor time of all its threads, in seconds. */
  readonly own: number;
  /** That of its children that have ended. */
  readonly ofEndedChildren: number;
}

/** Memory of a process, in bytes. */
export interface ProcessMemory {
  readonly resident: number;
  /** Resident without the pages of mapped files, which are the system's to take back. */
  readonly own: number;
  /** The most that was resident so far. */
  readonly peak: number;
}

/** Ticks of the processor clock a second, on every Linux. */
const TICKS = 100;

/** @param stat the text of `/proc/{pid}/stat`; the name in it may hold blanks and parentheses. */
export function processTimesIn(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (user: number) => (Number(fields[user]) + Number(fields[user + 1])) / TICKS;
  return { parent: Number(fields[1]), own: seconds(11), ofEndedChildren: seconds(13) };
}

/** @param status the text of `/proc/{pid}/status`. */
export function memoryIn(status: string): ProcessMemory {
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  const resident = bytes('VmRSS');
  return { resident, own: resident - bytes('RssFile') - bytes('RssShmem'), peak: bytes('VmHWM') };
}

/** Processor time a process has used, all threads, in seconds; undefined where the system does not tell. */
export function processorSeconds(pid: number): number | undefined {
  return told(() => processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8')).own);
}

/** The same of a process with all its children, those that have ended included. */
export function processorSecondsWithChildren(pid: number): number | undefined {
  return told(() => {
    const { own, ofEndedChildren } = processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return allTimes()
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + child.own, own + ofEndedChildren);
  });
}

/** Processor time of ended children of this process. Undefined if the system does not tell. */
export function endedChildrensProcessorSeconds(): number | undefined {
  return told(() => processTimesIn(readFileSync('/proc/self/stat', 'utf8')).ofEndedChildren);
}

/** Undefined where the system does not tell, or where the process has ended. */
export function memoryOf(pid: number): ProcessMemory | undefined {
  return told(() => memoryIn(readFileSync(`/proc/${pid}/status`, 'utf8')));
}

function allTimes(): ProcessTimes[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // One may end between the listing and the reading.
  return pids.flatMap((pid) => told(() => processTimesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))) ?? []);
}

function told<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
