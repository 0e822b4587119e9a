/** Methods the API server knows. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which failures a transport tries again by itself (T16). `safe`: sending twice does what sending once does. `unsafe`:
 * only if the server cannot have begun. `never`: the caller has its own loop.
 */
export type RetryPolicy = 'safe' | 'unsafe' | 'never';

export interface TransportRequest {
  readonly method: HttpMethod;
  /** Path and query below the server's own prefix, encoded: `/api/v1/pods?limit=1`. */
  readonly path: string;
  readonly body?: string;
  /** Of the body. Default `application/json`. */
  readonly contentType?: string;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** Limit of the whole call, waits and retries included. Default: none. */
  readonly timeoutMs?: number | undefined;
  readonly retry: RetryPolicy;
  /** For messages: `create Pod default/web-1`. */
  readonly what: string;
  /** Passes the line of T3: lease, token and access-review calls. Default false. */
  readonly urgent?: boolean;
}

/** Header names are lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer of any status; the transport throws only when none came. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
}

/** An answer whose body is still coming. */
export interface TransportStream {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body as it comes, in pieces that end anywhere; to be read once. Ends when the server ended it, throws when it broke. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Frees the connection and ends a read that waits; harmless when it is over. */
  cancel(): void;
}

/** The only way to a cluster (T1): every list, watch, get and write goes through it. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Resolves with the headers. Never retried, no limit on silence in the body (R13 owns it). */
  stream(request: Omit<TransportRequest, 'retry'>): Promise<TransportStream>;
  /** Refuses new calls, waits at most `graceMs` for running ones, then ends them (T25). Default 5000. */
  close(graceMs?: number): Promise<void>;
}
