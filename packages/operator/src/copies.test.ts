import 'reflect-metadata';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MetadataProbe } from './copies.js';

describe('the check for two copies of reflect-metadata', () => {
  it('is quiet when what was written can be read', () => {
    new MetadataProbe().check();
  });

  it('KW_META_TWO_COPIES when a second copy took over', () => {
    const probe = new MetadataProbe();
    const reflect = Reflect as { getOwnMetadata: unknown };
    const original = reflect.getOwnMetadata;
    reflect.getOwnMetadata = () => undefined;
    try {
      expect(() => probe.check())
        .to.throw(/npm dedupe/)
        .with.property('code', 'KW_META_TWO_COPIES');
    } finally {
      reflect.getOwnMetadata = original;
    }
  });
});
