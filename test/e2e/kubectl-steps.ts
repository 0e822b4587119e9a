import { expect } from 'chai';
import type { Kubectl, KubectlOutcome } from '../support/kubectl.js';
import { type Listing, type Manifest, type Steps, resourceOf } from './steps.js';

/** The release from which kubectl names the namespace when it deletes. */
const NAMES_NAMESPACE = 34;

const UNMANAGED =
  'Warning: resource podsets/example-podset is missing the kubectl.kubernetes.io/last-applied-configuration annotation';

/** The steps with a real kubectl; its exact words are part of the contract. */
export class KubectlSteps implements Steps {
  readonly name: string;

  constructor(private readonly kubectl: Kubectl) {
    this.name = `kubectl 1.${kubectl.minor}`;
  }

  async installCrd(yaml: string): Promise<void> {
    const crd = 'customresourcedefinition.apiextensions.k8s.io/podsets.app.example.com';
    said(await this.kubectl.run('create -f -', yaml), `${crd} created\n`);
    said(await this.kubectl.run(`wait --for=condition=Established ${crd} --timeout=30s`), `${crd} condition met\n`);
  }

  async list(resource: string, { name, selector }: { name?: string; selector?: string } = {}): Promise<Listing> {
    const line = ['get', resource, ...(name ? [name] : []), ...(selector ? ['-l', selector] : [])].join(' ');
    const outcome = await this.kubectl.run(line);
    expect(outcome.code, outcome.stderr).to.equal(0);
    const [header = [], ...rows] = outcome.stdout.split('\n').filter(Boolean).map(cells);
    if (rows.length === 0) expect(outcome.stderr).to.equal('No resources found in default namespace.\n');
    else expect(outcome.stderr).to.equal('');
    return { header, rows };
  }

  async create(manifest: Manifest): Promise<void> {
    said(
      await this.kubectl.run('create -f -', manifest),
      `${resourceOf(manifest.kind).word}/${manifest.metadata.name} created\n`,
    );
  }

  async createInvalid(manifest: Manifest, causes: readonly string[]): Promise<void> {
    const why = causes.length === 1 ? causes[0] : causes.map((cause) => `\n* ${cause}`).join('');
    const { code, stdout, stderr } = await this.kubectl.run('create -f -', manifest);
    expect(stderr).to.equal(`The ${manifest.kind} "${manifest.metadata.name}" is invalid: ${why}\n`);
    expect(stdout).to.equal('');
    expect(code).to.equal(1);
  }

  async apply(manifest: Manifest, first: boolean): Promise<void> {
    const outcome = await this.kubectl.run('apply -f -', manifest);
    if (first) expect(outcome.stderr).to.match(new RegExp(`^${UNMANAGED}`));
    else expect(outcome.stderr).to.equal('');
    expect(outcome.stdout).to.equal(`${resourceOf(manifest.kind).word}/${manifest.metadata.name} configured\n`);
    expect(outcome.code).to.equal(0);
  }

  async scale(podSet: string, replicas: number): Promise<void> {
    said(
      await this.kubectl.run(`scale podset ${podSet} --replicas=${replicas}`),
      `podset.app.example.com/${podSet} scaled\n`,
    );
  }

  async remove(resource: string, name: string): Promise<void> {
    const where = this.kubectl.minor >= NAMES_NAMESPACE ? ' from default namespace' : '';
    said(
      await this.kubectl.run(`delete ${resource} ${name}`),
      `${resourceOf(resource).word} "${name}" deleted${where}\n`,
    );
  }

  async describe(podSet: string, replicas: number): Promise<string[]> {
    const { code, stdout, stderr } = await this.kubectl.run(`describe podset/${podSet}`);
    expect(code, stderr).to.equal(0);
    const names = [...stdout.matchAll(/^ {4}(\S+)$/gm)].map(([, name = '']) => name);
    expect(stdout.replace(/(?<=^Metadata:\n)(?: {2}.*\n)+/m, '  …\n')).to.equal(`Name:         ${podSet}
Namespace:    default
Labels:       <none>
Annotations:  <none>
API Version:  app.example.com/v1alpha1
Kind:         PodSet
Metadata:
  …
Spec:
  Replicas:  ${replicas}
Status:
  Pod Names:
${names.map((name) => `    ${name}\n`).join('')}Events:  <none>
`);
    return names;
  }
}

function said(outcome: KubectlOutcome, stdout: string): void {
  expect(outcome.stderr).to.equal('');
  expect(outcome.stdout).to.equal(stdout);
  expect(outcome.code).to.equal(0);
}

/** kubectl parts columns by at least two blanks; a title such as CREATED AT has one inside. */
const cells = (line: string): string[] => line.trimEnd().split(/ {2,}/);
