import { isExpired, type StoredObject } from '@kubewright/api';
import { apiError, type CallSubject } from '../transport/api-errors.js';
import type { Transport } from '../transport/contract.js';
import { withQuery } from '../transport/url.js';
import { cacheErrors } from './errors.js';

/** A page of a list as the server answers it. */
export interface ListPage {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: StoredObject[] | null;
}

export interface PagedListOptions {
  readonly transport: Transport;
  /** Collection path without query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly accept?: string | undefined;
  readonly subject: CallSubject;
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retry: 'safe' | 'never';
  /** Wall ms, for a Retry-After date. */
  readonly now: () => number;
}

/** One page; a complete, checked list answer. */
export async function listPage(
  options: PagedListOptions,
  limit: number | undefined,
  token: string | undefined,
): Promise<ListPage & { readonly metadata: { readonly resourceVersion: string; readonly continue?: string } }> {
  const { transport, accept, subject, what, signal, timeoutMs, retry } = options;
  const path = withQuery(options.path, { ...options.query, limit, continue: token });
  const request = {
    method: 'GET' as const,
    path,
    what,
    retry,
    signal,
    timeoutMs,
    ...(accept !== undefined && { accept }),
  };
  const response = await transport.send(request);
  if (response.status !== 200) throw apiError(response, subject, options.now());
  let page: ListPage | null;
  try {
    page = JSON.parse(response.body) as ListPage | null;
  } catch {
    throw cacheErrors.badList(what, `text that is no JSON (${Buffer.byteLength(response.body)} bytes)`);
  }
  const version = page?.metadata?.resourceVersion;
  if (!page?.kind?.endsWith('List') || version === undefined || version === '')
    throw cacheErrors.badList(what, `kind ${page?.kind ?? '(none)'}, resourceVersion ${version ?? '(none)'}`);
  return page as ListPage & { metadata: { resourceVersion: string } };
}

/** Reads one page. */
export type ReadPage = (
  limit: number | undefined,
  token: string | undefined,
) => Promise<ListPage & { readonly metadata: { readonly resourceVersion: string; readonly continue?: string } }>;

/** What a paged list tells while it comes. */
export interface PageSink {
  /** Called for the first page, and again when an expired token makes the list begin anew. */
  begin(): void;
  /** False ends the list here. */
  page(items: StoredObject[]): boolean | Promise<boolean>;
}

/**
 * Reads pages to the end (R7). A token that expires between pages makes it begin again at page 1 once, then once more
 * as one list without limit. Answers the resourceVersion of the list.
 */
export async function listAll(read: ReadPage, pageSize: number, sink: PageSink): Promise<string> {
  for (let restarts = 0; ; restarts++) {
    const limit = restarts < 2 ? pageSize : undefined;
    sink.begin();
    let token: string | undefined;
    try {
      for (;;) {
        const page = await read(limit, token);
        const more = await sink.page(page.items ?? []);
        token = page.metadata.continue;
        if (!more || token === undefined || token === '') return page.metadata.resourceVersion;
      }
    } catch (error) {
      if (token === undefined || !isExpired(error) || restarts >= 2) throw error;
    }
  }
}
