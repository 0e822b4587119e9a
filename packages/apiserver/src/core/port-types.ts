import type { TypingNode } from './schema-types.js';
import type {
  GroupVersionKind,
  JsonObject,
  JsonValue,
  KubeObject,
  ManagedFieldsEntry,
  Principal,
} from './object-types.js';
import type { ResourceDef } from './resource-types.js';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** JSON, merge and strategic patches (PT-1 … PT-4); pure. Throws StatusError (ER-12). */
export interface PatchPort {
  patch(type: 'json' | 'merge' | 'strategic', live: KubeObject, body: JsonValue, typing: TypingNode): JsonObject;
}

export interface ApplyInput {
  live: KubeObject | undefined;
  /** The applied object, undefaulted, as sent. */
  patch: JsonObject;
  manager: string;
  force: boolean;
  subresource: string | undefined;
  /** `group/version` of the request. */
  apiVersion: string;
  typing: TypingNode;
  time: string;
  gvk: GroupVersionKind;
  /** A custom resource. Default: false. */
  custom?: boolean | undefined;
  /**
   * Top-level fields this endpoint does not take, so nobody can own them through it: `status` on a resource with a status
   * subresource, `metadata` and `spec` on `/status`. Default: none.
   */
  reset?: readonly string[] | undefined;
}

/** Server-side apply and managed fields (SA-1 … SA-12); pure. Throws StatusError. */
export interface ApplyPort {
  /** The merged object with its new `metadata.managedFields` (not yet defaulted or validated). */
  apply(input: ApplyInput): KubeObject;
  /**
   * managedFields after a create, update or patch: changed and added fields go to `manager`, leave all others. Answers the
   * new list, or undefined when the object shall carry none. `old` undefined = create.
   */
  track(input: {
    old: KubeObject | undefined;
    next: KubeObject;
    manager: string;
    operation: 'Update' | 'Apply';
    subresource: string | undefined;
    apiVersion: string;
    typing: TypingNode;
    time: string;
    /** As in ApplyInput. */
    reset?: readonly string[] | undefined;
    /** A custom resource: `managedFields: []` in the body resets built-ins only (SA-6). Default: false. */
    custom?: boolean | undefined;
  }): ManagedFieldsEntry[] | undefined;
}

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionAttributes {
  operation: AdmissionOperation;
  resource: ResourceDef;
  version: string;
  subresource: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
  /** At `version`; undefined on DELETE. */
  object: KubeObject | undefined;
  oldObject: KubeObject | undefined;
  principal: Principal;
  dryRun: boolean;
  options: JsonObject;
  warn(text: string): void;
}

/** Admission plug-ins and webhooks. Throws StatusError to deny. */
export interface AdmissionPort {
  /** Answers the object to go on with. */
  mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}
