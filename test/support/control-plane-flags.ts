import path from 'node:path';

/** Everything listens here only. */
export const LOOPBACK = '127.0.0.1';

/** Flags of etcd with one member that does not sync to disk. */
export function etcdArgs(data: string, port: number, peerPort: number): string[] {
  const client = `http://${LOOPBACK}:${port}`;
  const peer = `http://${LOOPBACK}:${peerPort}`;
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
}

/** Flags of kube-apiserver; it makes its own authority and certificate in `folder`/tls. */
export function apiServerArgs(folder: string, etcdPort: number, port: number): string[] {
  return [
    `--etcd-servers=http://${LOOPBACK}:${etcdPort}`,
    `--secure-port=${port}`,
    `--bind-address=${LOOPBACK}`,
    `--advertise-address=${LOOPBACK}`,
    '--endpoint-reconciler-type=none',
    `--cert-dir=${path.join(folder, 'tls')}`,
    `--token-auth-file=${path.join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${path.join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${path.join(folder, 'sa.key')}`,
    '--service-cluster-ip-range=10.0.0.0/16',
  ];
}
