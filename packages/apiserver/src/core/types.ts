/**
 * The words that every part of the API server shares. `core` holds object semantics and imports nothing outside itself
 * (BD-3); schema, patch, apply, crd, admission and kinds plug in through the ports declared here.
 */

export type * from './object-types.js';
export type * from './port-types.js';
export type * from './resource-types.js';
export type * from './schema-types.js';
export type * from './service-types.js';
