import { readFile } from 'node:fs/promises';
import { Api } from '../support/api.js';
import { inRepository } from '../support/paths.js';
import { until } from '../support/until.js';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CONNECTIONS = 8;
const NAMESPACES = 50;

const namespaceOf = (index: number): string => `bench-${String(index % NAMESPACES).padStart(2, '0')}`;
export const nameOf = (index: number): string => `ps-${String(index).padStart(6, '0')}`;
export const pathOf = (index: number): string =>
  `/apis/app.example.com/v1alpha1/namespaces/${namespaceOf(index)}/podsets`;

/** A PodSet whose JSON as sent has `size` bytes. */
function podSet(index: number, size: number): object {
  const object = {
    apiVersion: 'app.example.com/v1alpha1',
    kind: 'PodSet',
    metadata: {
      namespace: namespaceOf(index),
      name: nameOf(index),
      labels: { 'app.kubernetes.io/name': nameOf(index), 'app.kubernetes.io/part-of': 'bench' },
      annotations: { 'bench.example.com/owner': 'team-a@example.com' },
    },
    spec: {
      replicas: 3,
      image: 'registry.example.com/team-a/service:v1.24.3',
      env: Array.from({ length: 8 }, (_, i) => ({
        name: `SERVICE_SETTING_${i}`,
        value: `value-${i}.internal.example.com`,
      })),
      config: { filler: '' } as Record<string, string>,
    },
  };
  for (let i = 0; i < 8; i++) object.spec.config[`setting.${i}`] = `https://backend-${i}.example.com:8443/api/v1`;
  object.spec.config['filler'] = 'x'.repeat(Math.max(0, size - JSON.stringify(object).length));
  return object;
}

/** Creates CRD, namespaces and the PodSets `from` … `to − 1` of 2 KB each. */
export async function seed(kubeconfigPath: string, from: number, to: number): Promise<void> {
  const api = await Api.of(kubeconfigPath);
  const crd = JSON.parse(await readFile(inRepository('test/bench/podset-crd.json'), 'utf8')) as object;
  await api.send('POST', CRDS, { body: crd });
  await until('PodSets are served', async () => (await api.send('GET', pathOf(0))).status === 200);
  for (let i = 0; i < NAMESPACES; i++)
    await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespaceOf(i) } } });
  let next = from;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let index = next++; index < to; index = next++)
        await api.ok('POST', pathOf(index), { body: podSet(index, 2048) });
    }),
  );
  api.close();
}
