/** Every code of bootstrap faults, with what it means in one line. Documentation is kept equal to this table. */
export const faultCodes = {
  KW_BOOTSTRAP: 'The operator cannot be built; `details` holds every fault of every class.',
  KW_META_NOT_A_CLASS: 'A list of classes holds something else.',
  KW_META_NOT_A_CONTROLLER: 'A class in `controllers` has no @Controller.',
  KW_META_PLACE: 'A decorator stands where it means nothing.',
  KW_META_PART: 'A predicate or handler has none of the four event methods.',
  KW_META_NO_HANDLER: '@Watches on a class has no handler.',
  KW_META_NAMESPACES: 'Namespaces are listed for a cluster-scoped kind.',
  KW_META_NO_TYPES: 'The compiler wrote down no types for a constructor.',
  KW_META_TWO_COPIES: 'Two copies of reflect-metadata are loaded, and one lost what the other knew.',
  KW_CONTROLLER_NO_RECONCILE: 'A controller has no method reconcile.',
  KW_CONTROLLER_NO_SOURCE: 'A controller has no source, so it would never run.',
  KW_CONTROLLER_TWO_PRIMARIES: 'A controller has more than one @For.',
  KW_CONTROLLER_NO_PRIMARY: 'A controller has @Owns but no @For.',
  KW_CONTROLLER_NO_NAME: 'A controller without @For has no name.',
  KW_CONTROLLER_SAME_NAME: 'Two controllers of one operator have the same name.',
  KW_CONTROLLER_OPTION: 'An option of @Controller has a value that cannot be.',
  KW_CRD_NO_RESOURCE: 'A class is used as a kind but is neither a @Resource nor a built-in kind.',
  KW_CRD_IDENTITY: 'Names of a resource that the API server would refuse.',
  KW_CRD_PROTECTED_GROUP: 'The API group belongs to Kubernetes.',
  KW_DI_TYPE: 'A constructor parameter has a type that cannot be injected.',
  KW_DI_INHERITED: 'An inherited constructor has parameters of unknown types.',
  KW_DI_UNBOUND: 'A constructor wants a class that is not bound.',
  KW_DI_BINDINGS: 'The option `bindings` threw.',
  KW_DI_CONSTRUCTION: 'A constructor threw.',
  KW_RBAC_PLURAL: 'Rights cannot be written for a kind whose plural and scope are not known.',
  KW_OPTION: 'An environment variable or flag has a value that cannot be.',
} as const;

/** A code of {@link faultCodes}. */
export type FaultCode = keyof typeof faultCodes;
