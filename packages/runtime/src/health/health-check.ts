/** One thing that health endpoints ask about. */
export interface HealthCheck {
  readonly name: string;
  /** Throws, or rejects, when it is not well; a text it answers is shown after `ok`. */
  check(): string | void | Promise<string | void>;
}

/** What an endpoint answers. */
export interface HealthAnswer {
  readonly status: number;
  readonly body: string;
}
