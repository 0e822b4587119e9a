/** Every code this package makes, with what it means in one line. Documentation is kept equal to this table. */
export const schemaCodes = {
  KW_CRD_INVALID: 'Manifests cannot be made of the classes; `details` holds every fault.',
  KW_CRD_TYPE_UNKNOWN: 'The type of a property cannot be told.',
  KW_CRD_TYPE_CONFLICT: 'Two sources give a property two types.',
  KW_CRD_ITEMS_UNKNOWN: 'The type of the items of a list cannot be told.',
  KW_CRD_BARE_OBJECT: 'An object without known properties: everything inside would be pruned.',
  KW_CRD_UNDECORATED: 'A field without decorator would be pruned silently.',
  KW_CRD_RECURSIVE: 'A class reaches itself.',
  KW_CRD_NOT_JSON: 'A property has a type that JSON does not know.',
  KW_CRD_MIXED_ENUM: 'The values of an enum have no one JSON type.',
  KW_CRD_PATTERN: 'A regular expression cannot be said in RE2.',
  KW_CRD_NUMBER: 'A number is not finite, or not exact in JSON.',
  KW_CRD_DEFAULT: 'A default does not pass its own schema.',
  KW_CRD_CONTRADICTION: 'Rules that no value could pass.',
  KW_CRD_STATUS_PLAIN: 'The property status is not marked as the status.',
  KW_CRD_NESTED_RESOURCE: 'A resource is the type of a property.',
  KW_CRD_SCALE: 'A path of @Scale leads to no property of the right type.',
  KW_CRD_COLUMN_PATH: 'A printer column cannot be shown.',
  KW_CRD_WEBHOOK_ONLY: 'A check that no schema can say; it stays with the webhook.',
} as const;

/** A code of {@link schemaCodes}. */
export type SchemaCode = keyof typeof schemaCodes;
