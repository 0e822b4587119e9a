interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}

/** Whether a `metav1.LabelSelector` selects an object with these labels; an empty one selects everything. */
export function matchesLabels(selector: unknown, labels: Readonly<Record<string, string>> | undefined): boolean {
  const { matchLabels, matchExpressions } = (selector ?? {}) as Selector;
  const has = labels ?? {};
  for (const [key, value] of Object.entries(matchLabels ?? {})) if (has[key] !== value) return false;
  return (matchExpressions ?? []).every((r) => matchesRequirement(r, has));
}

function matchesRequirement(r: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[r.key];
  switch (r.operator) {
    case 'In':
      return value !== undefined && (r.values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(r.values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
