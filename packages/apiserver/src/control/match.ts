/** What a request has to be for test control to act on it; a member left out fits all (TC-1). */
export interface RequestMatch {
  verb?: string;
  group?: string;
  version?: string;
  /** Plural. */
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  user?: string;
  /** Fits when the header begins with it. */
  userAgent?: string;
}

/** One request or watch, in the words of a match. */
export type RequestFacts = { readonly [K in keyof RequestMatch]?: string | undefined };

/** Whether all that a match asks for holds. A subresource left out fits the main resource and all its subresources. */
export function fits(match: RequestMatch, facts: RequestFacts): boolean {
  for (const key of Object.keys(match) as (keyof RequestMatch)[]) {
    const wanted = match[key];
    if (wanted === undefined) continue;
    const found = facts[key] ?? '';
    if (key === 'userAgent' ? !found.startsWith(wanted) : found !== wanted) return false;
  }
  return true;
}
