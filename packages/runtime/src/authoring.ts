// What authors of controllers call by name. Apart from the index, so that importing it loads no transport.
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './client/owner-references.js';
export type { ControllerReferenceOptions } from './client/owner-references.js';
export { allOf, anyOf, not } from './predicate/predicate.js';
export { always, inNamespaces, never, onlyOn, where } from './predicate/by-object.js';
export {
  annotationsChanged,
  fieldChanged,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  resourceVersionChanged,
  specChanged,
  statusChanged,
} from './predicate/changes.js';
export { matchesLabels } from './predicate/matches-labels.js';
export { channelSource } from './source/channel-source.js';
export type { Channel } from './source/channel-source.js';
