import { readFileSync } from 'node:fs';

/** One line of results, with the field names of the reference implementation's benches, so that both can be compared. */
export type Figures = Record<string, string | number | boolean>;

const CLOCK_TICKS_MS = 10;

/** When this process was started, ms since the epoch; Linux only, in steps of 10 ms. */
function processStart(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) * CLOCK_TICKS_MS;
  const upMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  return Date.now() - (upMs - started);
}

/** Resident memory now and at its peak, in MB; of this process, or of another by its id. */
export function memory(pid: number | 'self' = 'self'): { rssMB: number; peakMB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024, 1);
  return { rssMB: field('VmRSS'), peakMB: field('VmHWM') };
}

/** User and system time of this process so far, ms. */
export function cpuMs(): { user: number; system: number } {
  const { user, system } = process.cpuUsage();
  return { user: user / 1000, system: system / 1000 };
}

export function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** Nearest-rank percentile. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0;
}

/** Median. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The time axis of one bench: ms since the launch. */
export class Timeline {
  readonly #t0: number;
  readonly #source: string;

  /** `t0`: Unix nanoseconds at which the launcher started this process; absent: the kernel's record. */
  constructor(t0?: string) {
    this.#t0 = t0 ? Number(BigInt(t0) / 1000n) / 1000 : processStart();
    this.#source = t0 ? 'launcher' : 'proc';
  }

  /** Ms since the launch. */
  now(): number {
    return round(performance.timeOrigin + performance.now() - this.#t0, 3);
  }

  /** Adds what every bench reports, and prints one JSON line. */
  emit(bench: string, figures: Figures): void {
    const { rssMB, peakMB } = memory();
    const { user, system } = cpuMs();
    const line: Figures = {
      ...figures,
      bench,
      impl: 'kubewright',
      runtime: `node ${process.version}`,
      rssMB,
      rssPeakMB: peakMB,
      cpuUserMs: round(user, 1),
      cpuSysMs: round(system, 1),
      wallMs: this.now(),
      t0: this.#source,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}
