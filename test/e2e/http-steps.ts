import { expect } from 'chai';
import { parse } from 'yaml';
import type { Api, ApiObject } from '../support/api.js';
import { until } from '../support/until.js';
import { type Listing, type Manifest, type Steps, resourceOf } from './steps.js';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const MERGE_PATCH = 'application/merge-patch+json';

interface Table {
  kind: string;
  columnDefinitions: { name: string; priority: number }[];
  rows: { cells: unknown[] }[];
}

/** The same steps over HTTP, with the requests that kubectl would send: for machines without a kubectl. */
export class HttpSteps implements Steps {
  readonly name = 'HTTP';

  constructor(private readonly api: Api) {}

  async installCrd(yaml: string): Promise<void> {
    const crd = parse(yaml) as Manifest;
    await this.create(crd);
    await until('the CRD is established', async () => {
      const { status } = await this.api.ok('GET', `${resourceOf('crd').path}/${crd.metadata.name}`);
      const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
      return conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
    });
  }

  async list(resource: string, { name, selector }: { name?: string; selector?: string } = {}): Promise<Listing> {
    const query = selector ? `?limit=500&labelSelector=${encodeURIComponent(selector)}` : '?limit=500';
    const path = resourceOf(resource).path + (name ? `/${name}` : query);
    const table = await this.api.ok<Table>('GET', path, { accept: TABLE });
    expect(table.kind).to.equal('Table');
    if (table.rows.length === 0) return { header: [], rows: [] };
    const shown = table.columnDefinitions
      .map(({ priority }, index) => (priority === 0 ? index : -1))
      .filter((i) => i >= 0);
    return {
      header: shown.map((index) => String(table.columnDefinitions[index]?.name).toUpperCase()),
      rows: table.rows.map((row) => shown.map((index) => String(row.cells[index]))),
    };
  }

  async create(manifest: Manifest): Promise<void> {
    const { path } = resourceOf(manifest.kind);
    const { status, body } = await this.api.send('POST', `${path}?fieldManager=kubectl-create&fieldValidation=Strict`, {
      body: manifest,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).to.deep.include({ apiVersion: manifest.apiVersion, kind: manifest.kind });
    expect(body.metadata.name).to.equal(manifest.metadata.name);
  }

  async createInvalid(manifest: Manifest, causes: readonly string[]): Promise<void> {
    const why = causes.length === 1 ? causes[0] : `[${causes.join(', ')}]`;
    const { path, kind } = resourceOf(manifest.kind);
    const { status, body } = await this.api.send('POST', `${path}?fieldValidation=Strict`, { body: manifest });
    const group = manifest.apiVersion.replace(/\/.*/, '');
    expect(body).to.deep.include({ kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422 });
    expect(body.message).to.equal(`${kind}.${group} "${manifest.metadata.name}" is invalid: ${why}`);
    expect(status).to.equal(422);
  }

  async apply(manifest: Manifest): Promise<void> {
    const path = `${resourceOf(manifest.kind).path}/${manifest.metadata.name}`;
    const query = '?fieldManager=kubectl-client-side-apply&fieldValidation=Strict';
    const before = await this.api.ok('GET', path);
    const after = await this.api.ok('PATCH', path + query, { body: manifest, contentType: MERGE_PATCH });
    expect(after.metadata['generation' as 'name']).to.equal(Number(before.metadata['generation' as 'name']) + 1);
  }

  async scale(podSet: string, replicas: number): Promise<void> {
    const path = `${resourceOf('podsets').path}/${podSet}/scale`;
    const scale = await this.api.ok('PATCH', path, { body: { spec: { replicas } }, contentType: MERGE_PATCH });
    expect(scale.kind).to.equal('Scale');
    expect(scale['spec']).to.deep.equal({ replicas });
  }

  async remove(resource: string, name: string): Promise<void> {
    const path = `${resourceOf(resource).path}/${name}`;
    await this.api.ok('DELETE', path, { body: { propagationPolicy: 'Background' } });
    await until(`${name} is gone`, async () => (await this.api.send('GET', path)).status === 404);
  }

  async describe(podSet: string, replicas: number): Promise<string[]> {
    const object = await this.api.ok('GET', `${resourceOf('podsets').path}/${podSet}`);
    expect(object).to.deep.include({ apiVersion: 'app.example.com/v1alpha1', kind: 'PodSet', spec: { replicas } });
    expect(Object.keys(object['status'])).to.deep.equal(['podNames']);
    const about = `involvedObject.name=${podSet},involvedObject.namespace=default,involvedObject.uid=${object.metadata.uid}`;
    const events = await this.api.ok<{ items: ApiObject[] }>(
      'GET',
      `/api/v1/namespaces/default/events?fieldSelector=${encodeURIComponent(about)}`,
    );
    expect(events.items).to.deep.equal([]);
    return object['status'].podNames as string[];
  }
}
