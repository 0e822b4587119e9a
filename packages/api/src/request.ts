/** What is to be reconciled: a key, never an event (M19). */
export interface Request {
  /** Absent: the operator's own cluster. */
  readonly cluster?: string | undefined;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A unique text for a request, `cluster|namespace/name` with empty parts left out; for maps, logs and messages. */
export function requestKey(request: Request): string {
  const key = request.namespace === undefined ? request.name : `${request.namespace}/${request.name}`;
  return request.cluster === undefined ? key : `${request.cluster}|${key}`;
}
