type Json = Record<string, unknown>;

/** Members that make up the identity of an item in lists of built-in kinds, by the name of the list. */
const MERGE_KEYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  containers: [['name']],
  initContainers: [['name']],
  ephemeralContainers: [['name']],
  volumes: [['name']],
  env: [['name']],
  volumeMounts: [['mountPath']],
  volumeDevices: [['devicePath']],
  ports: [
    ['containerPort', 'protocol'],
    ['port', 'protocol'],
  ],
  imagePullSecrets: [['name']],
  hostAliases: [['ip']],
  conditions: [['type']],
  ownerReferences: [['uid']],
  topologySpreadConstraints: [['topologyKey', 'whenUnsatisfiable']],
};

/** What the server fills where an identity leaves it out. */
const IDENTITY_DEFAULTS: Readonly<Json> = { protocol: 'TCP' };

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What `value` shows at the paths that `intent` states. Lists with known merge keys are compared item by item, all others
 * count as one value (L32). `byKeys`: the object is of a built-in kind, so that the names of lists mean something.
 */
export function atPathsOf(intent: unknown, value: unknown, byKeys: boolean, list = ''): unknown {
  if (isMap(intent)) {
    if (!isMap(value)) return value;
    const shown: Json = Object.create(null) as Json;
    for (const key in intent)
      if (intent[key] !== undefined && Object.hasOwn(value, key))
        shown[key] = atPathsOf(intent[key], value[key], byKeys, key);
    return shown;
  }
  if (!byKeys || !Array.isArray(intent) || !Array.isArray(value)) return value;
  const keys = MERGE_KEYS[list]?.find(([first]) =>
    intent.every((item) => isMap(item) && item[first as string] !== undefined),
  );
  if (!keys) return value;
  const items = new Map(value.filter(isMap).map((item) => [identity(item, keys), item]));
  return intent.map((item) => atPathsOf(item, items.get(identity(item as Json, keys)), byKeys));
}

const identity = (item: Json, keys: readonly string[]): string =>
  JSON.stringify(keys.map((key) => item[key] ?? IDENTITY_DEFAULTS[key]));
