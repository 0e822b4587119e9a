import type { Clock, Logger } from '@kubewright/api';
import type { ResponseHeaders } from './contract.js';
import { transportDefaults as defaults } from './defaults.js';

const WARNING = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** Logs each warning of the server once an hour, remembering the latest 1000 texts (T14). */
export class ServerWarnings {
  private readonly loggedAt = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  note(headers: ResponseHeaders, what: string): void {
    const header = headers['warning'];
    if (header === undefined) return;
    for (const match of String(header).matchAll(WARNING)) {
      const text = (match[1] ?? '').replace(/\\(.)/g, '$1');
      const now = this.clock.monotonic();
      const last = this.loggedAt.get(text);
      if (last !== undefined && now - last < defaults.warningInterval) continue;
      this.loggedAt.delete(text);
      this.loggedAt.set(text, now);
      for (const oldest of this.loggedAt.keys()) {
        if (this.loggedAt.size <= defaults.warningsRemembered) break;
        this.loggedAt.delete(oldest);
      }
      this.logger.warn({ call: what }, `the API server warns: ${text}`);
    }
  }
}
