// Prints the CRD: node dist/crd.js | kubectl apply --server-side -f -
import { crdFor, toYaml } from '@kubewright/manifests';
import { PodSet } from './podset.js';

process.stdout.write(toYaml(crdFor(PodSet)));
