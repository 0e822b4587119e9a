/** A listing as its reader sees it: the words of the header and of each row. Both are empty when nothing is there. */
export interface Listing {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A manifest: what a person writes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** What a person does in the PodSet tutorial. Each step also checks what its client says about it. */
export interface Steps {
  /** For titles. */
  readonly name: string;
  /** Creates a CRD and waits until it is established. */
  installCrd(yaml: string): Promise<void>;
  /** Lists a resource, such as `pods`, in the namespace `default`; `narrowedTo` is a name or a label selector. */
  list(resource: string, narrowedTo?: { name?: string; selector?: string }): Promise<Listing>;
  create(manifest: Manifest): Promise<void>;
  /** Tries to create a PodSet that is invalid; checks that `causes` are given as reasons. */
  createInvalid(manifest: Manifest, causes: readonly string[]): Promise<void>;
  /** Changes the object to what the manifest says; it exists, and nobody applied it before if `first`. */
  apply(manifest: Manifest, first: boolean): Promise<void>;
  scale(podSet: string, replicas: number): Promise<void>;
  /** Deletes and waits until the object is gone. */
  remove(resource: string, name: string): Promise<void>;
  /** Describes a PodSet: checks all of it but the names of its Pods, which it returns. No events are about it. */
  describe(podSet: string, replicas: number): Promise<string[]>;
}

/** The resources of the tutorial: where they are served, and how kubectl calls one of them. */
const RESOURCES: Readonly<Record<string, { path: string; kind: string; word: string }>> = {
  crd: {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    word: 'customresourcedefinition.apiextensions.k8s.io',
  },
  pods: { path: '/api/v1/namespaces/default/pods', kind: 'Pod', word: 'pod' },
  podsets: {
    path: '/apis/app.example.com/v1alpha1/namespaces/default/podsets',
    kind: 'PodSet',
    word: 'podset.app.example.com',
  },
};

/** The entry of {@link RESOURCES} for a resource name (`podsets.app.example.com` is `podsets`) or a kind. */
export function resourceOf(nameOrKind: string): { path: string; kind: string; word: string } {
  const byName = RESOURCES[nameOrKind.replace(/\..*/, '')];
  const found = byName ?? Object.values(RESOURCES).find(({ kind }) => kind === nameOrKind);
  if (!found) throw new Error(`the tutorial knows no resource "${nameOrKind}"`);
  return found;
}
