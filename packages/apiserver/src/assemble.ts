import { attachCrdController } from './crd/controller.js';
import type { CrdController, CrdControllerOptions } from './crd/controller.js';
import { crdResource } from './crd/resource.js';
import { builtinResources } from './kinds/index.js';
import { createObjectService } from './semantics.js';
import type { ObjectSemantics, SemanticsOptions } from './semantics.js';

/** An object core with all built-in kinds and custom resources. */
export interface Assembled {
  readonly semantics: ObjectSemantics;
  readonly crds: CrdController;
}

/** Assembles object semantics with all kinds, without HTTP: what a server and a fake client both stand on. */
export function assemble(options: SemanticsOptions & CrdControllerOptions = {}): Assembled {
  const semantics = createObjectService(options);
  const { registry } = semantics;
  for (const resource of builtinResources({ stored: (storage) => semantics.stored(storage) })) registry.add(resource);
  registry.add(crdResource());
  return { semantics, crds: attachCrdController(semantics, options) };
}
