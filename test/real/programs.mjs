// The programs of a real control plane: which Go module each comes from, and where one is found on this machine.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Wrapper module (a folder beside this file) → the module whose version counts, and what is made of it. */
const MODULES = {
  etcd: { requires: 'go.etcd.io/etcd/server/v3', makes: { etcd: '.' } },
  kwok: {
    requires: 'sigs.k8s.io/kwok',
    makes: { kwok: 'sigs.k8s.io/kwok/cmd/kwok', 'kwok-stages.yaml': undefined },
  },
  kubernetes: {
    requires: 'k8s.io/kubernetes',
    makes: Object.fromEntries(
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map((name) => [
        name,
        `k8s.io/kubernetes/cmd/${name}`,
      ]),
    ),
  },
};

/** One wrapper module: its folder, the pinned version, and file name → Go package (`undefined`: not a program). */
export const modules = Object.entries(MODULES).map(([name, { requires, makes }]) => {
  const folder = path.join(here, name);
  const version = new RegExp(`^require ${requires} (v\\S+)$`, 'm').exec(
    readFileSync(path.join(folder, 'go.mod'), 'utf8'),
  )?.[1];
  if (!version) throw new Error(`${folder}/go.mod has no line "require ${requires} <version>"`);
  return { name, folder, requires, version, makes };
});

/** The Kubernetes release that is built, such as `v1.37.2`. */
export const kubernetesVersion = modules.find(({ name }) => name === 'kubernetes').version;

/** Folder of built programs. It lies outside the checkout, so that a fresh clone finds what an older one built. */
export function cacheFolder(env = process.env) {
  if (env.KUBEWRIGHT_CACHE) return path.resolve(env.KUBEWRIGHT_CACHE);
  const base = env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(base, 'kubewright', `kubernetes-${kubernetesVersion}`);
}

const stampFile = (folder) => path.join(folder, 'built.json');

/** File name → version it was built from, for all that this recipe has put into `folder`. */
export function readStamps(folder) {
  return existsSync(stampFile(folder)) ? JSON.parse(readFileSync(stampFile(folder), 'utf8')) : {};
}

/**
 * Finds each program: in `KUBEBUILDER_ASSETS` first (any version, the person chose it), then in the cache if it was
 * built from the version that go.mod names now.
 */
export function locatePrograms(env = process.env) {
  const cache = cacheFolder(env);
  const stamps = readStamps(cache);
  const found = {};
  const missing = [];
  for (const module of modules) {
    for (const file of Object.keys(module.makes)) {
      const asset = env.KUBEBUILDER_ASSETS && path.join(env.KUBEBUILDER_ASSETS, file);
      const built = path.join(cache, file);
      if (asset && existsSync(asset)) found[file] = asset;
      else if (stamps[file] === module.version && existsSync(built)) found[file] = built;
      else missing.push(file);
    }
  }
  return { found, missing };
}
