import { createRequire } from 'node:module';
import { expect } from 'chai';
import { describe, it } from 'mocha';

describe('the package kubewright', () => {
  it('can be required by CommonJS code', () => {
    const required = createRequire(import.meta.url)('kubewright') as Record<string, unknown>;
    expect(required['createOperator']).to.be.a('function');
  });
});
