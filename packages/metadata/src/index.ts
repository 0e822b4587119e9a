export { isClass, lineage, resolveThunk } from './class-type.js';
export type { Class, Thunk } from './class-type.js';
export { sourceMembers } from './class-source.js';
export type { SourceMember } from './class-source.js';
export { define } from './define.js';
export type { ClassLists, Definitions } from './define.js';
export type { ControllerDefinition } from './define-controller.js';
export type { SourceDefinition } from './resolve-source.js';
export { defineResource, resourceFaults } from './define-resource.js';
export type { ResourceDefinition } from './define-resource.js';
export { defineSchema } from './define-schema.js';
export type { PropertyDefinition, SchemaDefinition } from './define-schema.js';
export { settingFaults } from './check-settings.js';
export { dependenciesOf } from './dependencies.js';
export type { Dependencies } from './dependencies.js';
export { bootstrapError, faultText } from './fault.js';
export type { Fault } from './fault.js';
export { faultCodes } from './fault-codes.js';
export type { FaultCode } from './fault-codes.js';
export { isChannel, isKindRef, kindOf, refName } from './kind-of.js';
export type {
  ClassRecord,
  ControllerDefaults,
  ControllerSettings,
  EventChannel,
  HandlerRef,
  Misuse,
  OwnsOptions,
  PredicateRef,
  PrinterColumnOptions,
  PropertyRecord,
  ResourceOptions,
  ScaleOptions,
  SourceOptions,
  SourceRecord,
  SourceRole,
  WatchesOptions,
} from './record.js';
export { recordOf, updateRecord } from './store.js';
export {
  withColumn,
  withController,
  withEvery,
  withInjectable,
  withMisuse,
  withPredicates,
  withProperty,
  withResource,
  withScale,
  withSource,
} from './updaters.js';
export type { ValidationRule } from './validation-rules.js';
