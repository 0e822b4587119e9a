import { readFileSync } from 'node:fs';
import { crdFor, toYaml } from '@kubewright/manifests';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { PodSet } from './podset.js';

describe('the CRD of the PodSet', () => {
  it('is what config/crd.yaml holds (node dist/crd.js > config/crd.yaml)', () => {
    expect(toYaml(crdFor(PodSet))).to.equal(readFileSync(new URL('../config/crd.yaml', import.meta.url), 'utf8'));
  });
});
