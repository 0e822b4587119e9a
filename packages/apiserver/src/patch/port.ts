import type { JsonObject, PatchPort } from '../core/types.js';
import { jsonPatch } from './json-patch.js';
import { mergePatch } from './merge-patch.js';
import { strategicPatch } from './strategic.js';

/** JSON, merge and strategic patches (PT-1 … PT-4). */
export const patchPort: PatchPort = {
  patch(type, live, body, typing) {
    const document = live as unknown as JsonObject;
    if (type === 'json') return jsonPatch(document, body);
    return type === 'merge' ? mergePatch(document, body) : strategicPatch(document, body, typing);
  },
};
