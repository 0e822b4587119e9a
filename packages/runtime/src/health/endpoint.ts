import type { Clock } from '@kubewright/api';
import { HEALTH_DEFAULTS } from './defaults.js';
import type { HealthAnswer, HealthCheck } from './health-check.js';

interface Verdict {
  readonly name: string;
  readonly note?: string;
  /** Set when the check failed. */
  readonly reason?: string;
}

/** The process answers. */
export const pingCheck: HealthCheck = { name: 'ping', check() {} };

/** The checks behind one path such as `/readyz`, and how their verdicts are written (X37, X38). */
export class HealthEndpoint {
  readonly name: string;
  readonly #checks: readonly HealthCheck[];
  readonly #clock: Clock;

  constructor(name: string, checks: readonly HealthCheck[], clock: Clock) {
    this.name = name;
    this.#checks = checks.length > 0 ? checks : [pingCheck];
    this.#clock = clock;
  }

  /** The answer for all checks but the excluded ones; the reasons of failures stay inside. */
  async answer(query: URLSearchParams): Promise<HealthAnswer> {
    const excluded = new Set(query.getAll('exclude'));
    const verdicts = await Promise.all(
      this.#checks.map(async (check) => (excluded.has(check.name) ? excludedVerdict(check.name) : this.#ask(check))),
    );
    const failed = verdicts.some(({ reason }) => reason !== undefined);
    if (!failed && !query.has('verbose')) return { status: 200, body: 'ok' };
    const unknown = [...excluded].filter((name) => !this.#checks.some((check) => check.name === name));
    const lines = [
      ...verdicts.map(lineOf),
      ...unknown.map((name) => `warn: no check named "${name}" to exclude`),
      `${this.name} check ${failed ? 'failed' : 'passed'}`,
    ];
    return { status: failed ? 500 : 200, body: lines.map((line) => `${line}\n`).join('') };
  }

  /** The answer for one check, its reason included; undefined when there is none of that name. */
  async answerOne(name: string): Promise<HealthAnswer | undefined> {
    const check = this.#checks.find((candidate) => candidate.name === name);
    if (check === undefined) return undefined;
    const { reason } = await this.#ask(check);
    return reason === undefined
      ? { status: 200, body: 'ok' }
      : { status: 500, body: `internal server error: ${reason}` };
  }

  async #ask(check: HealthCheck): Promise<Verdict> {
    const { name } = check;
    const { promise: late, resolve: tooLate } = Promise.withResolvers<Verdict>();
    const timer = this.#clock.setTimeout(
      () => tooLate({ name, reason: `no answer within ${HEALTH_DEFAULTS.checkTimeout / 1000} s` }),
      HEALTH_DEFAULTS.checkTimeout,
    );
    try {
      const verdict = async (): Promise<Verdict> => {
        const note = await check.check();
        return note === undefined ? { name } : { name, note };
      };
      return await Promise.race([verdict(), late]);
    } catch (error) {
      return { name, reason: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }
}

const excludedVerdict = (name: string): Verdict => ({ name, note: 'excluded' });

function lineOf({ name, note, reason }: Verdict): string {
  if (reason !== undefined) return `[-]${name} failed: reason withheld`;
  if (note === 'excluded') return `[+]${name} excluded: ok`;
  return note === undefined ? `[+]${name} ok` : `[+]${name} ok (${note})`;
}
