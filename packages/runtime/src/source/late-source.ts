import { isKubewrightError, type KindInfo, type TimerHandle } from '@kubewright/api';
import type { StreamStatus } from '../cache/contract.js';
import type { Source, SourceHost } from './contract.js';
import { SOURCE_DEFAULTS } from './defaults.js';

/** Options of {@link LateSource}. */
export interface LateSourceOptions {
  /** For messages: `PodSetController @Owns(Widget)`. */
  readonly label: string;
  /** What is known of the kind before the server was asked. */
  readonly kind: Pick<KindInfo, 'group' | 'version' | 'kind'>;
  /** Asks the server; rejects while it does not serve the kind, or does not answer. */
  readonly find: () => Promise<readonly Source[]>;
  /** The controller starts without waiting for the kind (M14). Default false. */
  readonly optional?: boolean | undefined;
}

/**
 * Sources of a kind whose plural only the server knows. It asks from the start on, every 10 s, until the kind is served,
 * so that a CRD that is applied a moment later needs no restart (M13).
 */
export class LateSource implements Source {
  readonly label: string;
  readonly optional: boolean;
  readonly synced: Promise<void>;
  readonly #options: LateSourceOptions;
  readonly #resolveSynced: () => void;
  #host: SourceHost | undefined;
  #found: readonly Source[] | undefined;
  #failures = 0;
  #lastError: Error | undefined;
  #lastStep = 0;
  #timer: TimerHandle | undefined;

  constructor(options: LateSourceOptions) {
    this.label = options.label;
    this.optional = options.optional ?? false;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
  }

  start(host: SourceHost): void {
    this.#host = host;
    void this.#ask(host);
  }

  isSynced(): boolean {
    return this.#found?.every((source) => source.isSynced()) ?? false;
  }

  holds(...request: Parameters<NonNullable<Source['holds']>>): boolean | undefined {
    let known: boolean | undefined;
    for (const source of this.#found ?? []) known = known || source.holds?.(...request);
    return known;
  }

  /** Of the found source that is furthest from being synced; until then, what became of the question. */
  stream(): StreamStatus | undefined {
    if (this.#found) return (this.#found.find((source) => !source.isSynced()) ?? this.#found[0])?.stream?.();
    const isMissing = isKubewrightError(this.#lastError, 'KW_CLIENT_KIND_NOT_SERVED');
    return {
      kind: { ...this.#options.kind, plural: '', scope: 'Cluster' },
      scope: {},
      state: this.#lastError === undefined ? 'waiting' : isMissing ? 'missing' : 'backoff',
      synced: false,
      objects: 0,
      resourceVersion: '',
      failures: this.#failures,
      lastStep: this.#lastStep,
      ...(this.#lastError && { lastError: this.#lastError }),
    };
  }

  stop(): void {
    if (this.#timer !== undefined) this.#host?.clock.clearTimeout(this.#timer);
    this.#host = undefined;
    for (const source of this.#found ?? []) source.stop();
  }

  async #ask(host: SourceHost): Promise<void> {
    this.#lastStep = host.clock.monotonic();
    try {
      const found = await this.#options.find();
      if (this.#host === undefined) return;
      this.#found = found;
      for (const source of found) source.start(host);
      void Promise.all(found.map(({ synced }) => synced)).then(this.#resolveSynced);
    } catch (error) {
      this.#failures += 1;
      this.#lastError = error as Error;
      if (this.#host !== undefined)
        this.#timer = host.clock.setTimeout(() => void this.#ask(host), SOURCE_DEFAULTS.lateKindRetry);
    }
  }
}
